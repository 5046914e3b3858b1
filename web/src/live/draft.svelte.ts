// A game against the computer that has not begun: a board to move on at once. It becomes a game of
// the site with the first move, so that looking at the page leaves nothing behind.

import type { Action, GameView, House, PositionView, Seat, Side } from '../api/types';
import { newId, type Pending } from './decide';
import type { Notice } from './game.svelte';
import type { LineState } from './line';
import type { Table } from './table';

const PERSON: Seat = {
  kind: 'person',
  name: null,
  level: null,
  rating: null,
  provisional: false,
  rating_change: null,
  online: true,
  claim_at: null,
};

export function computerSeat(level: number): Seat {
  return { ...PERSON, kind: 'computer', level };
}

/** What a game looks like before it is one. */
export function draftView(
  rules: string,
  position: PositionView,
  seats: { south: Seat; north: Seat; you: Side[] },
): GameView {
  return {
    id: '',
    seq: 0,
    status: 'playing',
    rules,
    preset: rules,
    time: { kind: 'unlimited' },
    pace: null,
    rated: false,
    counts: 'free',
    ...seats,
    start: position,
    plies: [],
    state: position,
    clock: null,
    offer: null,
    match: null,
    rematch: null,
    rematch_wishes: [],
    created_at: 0,
    watchers: 0,
    log: [],
  };
}

export { PERSON };

export class Draft implements Table {
  view = $state.raw<GameView | null>(null);
  pending = $state.raw<Pending | null>(null);
  notice = $state.raw<Notice | null>(null);
  readonly state: LineState = 'open';
  readonly lag = null;
  private readonly begin: (house: House) => void;

  /** `begin` makes it a game of the site and plays the first move. */
  constructor(begin: (house: House) => void) {
    this.begin = begin;
  }

  get mayMove(): boolean {
    return this.view !== null && this.pending === null;
  }

  now(): number {
    return Date.now();
  }

  move(house: House): boolean {
    const { view } = this;
    if (!view || !this.mayMove) return false;
    if (!view.state.legal.some((trace) => trace.house === house)) return false;
    const { position } = view.state;
    this.pending = { game: '', ply: 1, position, house, id: newId() };
    this.begin(house);
    return true;
  }

  /** Takes the move back from the board: the game could not be made. */
  fail(notice: Notice): void {
    this.pending = null;
    this.notice = notice;
  }

  // Nothing can be offered or resigned before there is a game.
  act(_: Action): Promise<boolean> {
    return Promise.resolve(false);
  }

  offer(): Promise<boolean> {
    return Promise.resolve(false);
  }

  resign(): Promise<boolean> {
    return Promise.resolve(false);
  }
}
