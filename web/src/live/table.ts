// What the table on the page needs of a game, be it one of the site or one that has not begun.

import type { Action, GameView, House, OfferKind, Side } from '../api/types';
import type { Pending } from './decide';
import type { Notice } from './game.svelte';
import type { LineState } from './line';

export interface Table {
  readonly view: GameView | null;
  readonly pending: Pending | null;
  readonly state: LineState;
  readonly lag: number | null;
  readonly mayMove: boolean;
  notice: Notice | null;
  now(): number;
  move(house: House): boolean;
  act(action: Action): Promise<boolean>;
  offer(offer: OfferKind, side?: Side): Promise<boolean>;
  resign(side?: Side): Promise<boolean>;
}

/** Whether the person here has both seats. */
export function isSameDevice(view: GameView): boolean {
  return view.you.length === 2;
}

export function hasComputer(view: GameView): boolean {
  return view.south.kind === 'computer' || view.north.kind === 'computer';
}

/** The side below on the board: one's own, else South's. */
export function ownSide(view: GameView): Side {
  return view.you.length === 1 ? (view.you[0] ?? 'south') : 'south';
}

export function seatOf(view: GameView, side: Side): GameView['south'] {
  return side === 'south' ? view.south : view.north;
}

/** How many look on: the server counts every open page of the game, the players' own, too. */
export function spectators(view: GameView): number {
  const present = (['south', 'north'] as const).filter((side) => {
    return view[side].kind === 'person' && view[side].online;
  });
  const players = isSameDevice(view) ? Math.min(present.length, 1) : present.length;
  return Math.max(0, view.watchers - players);
}

/**
 * At which occurrence of a position the game ends as a loop, from the rules' identifier: the
 * field where it is written, else what the named set says; null for never.
 */
export function repetitionLimit(rules: string): number | null {
  const field = /repetition=(\w+)/.exec(rules)?.[1];
  if (field) return field === 'off' ? null : Number(field);
  return /^(abapa-first-repetition|awari)\b/.test(rules) ? 2 : 3;
}
