// A move that was made here and is not known to be kept yet, and what to do about it when the
// server tells where the game stands. Pure, so that every case can be put into a table.

import type { GameView, House } from '../api/types';

/** A move on its way. Kept in the browser's storage, so that a reload does not lose it. */
export interface Pending {
  game: string;
  /** The ply it shall be, from 1. */
  ply: number;
  /** The position it was made in. */
  position: string;
  house: House;
  /** What the server will know it by; the same for every time it is sent. */
  id: string;
}

export type Decision =
  /** Nothing waits. */
  | 'nothing'
  /** The server is exactly where the move was made: send it (again). */
  | 'send'
  /** The server has it. */
  | 'done'
  /** It can no longer be played; the person must be told. */
  | 'drop';

/** What is looked at of the server's game. */
export type Known = Pick<GameView, 'id' | 'status'> & {
  plies: readonly { ply: number; trace: { house: string } }[];
  state: { position: string };
};

export function decide(pending: Pending | null, server: Known): Decision {
  if (!pending || pending.game !== server.id) return 'nothing';
  const there = server.plies[pending.ply - 1];
  // Somebody took it before us, or it was us and the answer was lost: the house tells.
  if (there) return there.trace.house === pending.house ? 'done' : 'drop';
  if (server.status === 'over') return 'drop';
  // Moves were taken back meanwhile, or it never was this game's turn.
  if (server.plies.length !== pending.ply - 1) return 'drop';
  return server.state.position === pending.position ? 'send' : 'drop';
}

const KEY = 'oware.pending.';

function isPending(value: unknown): value is Pending {
  if (typeof value !== 'object' || value === null) return false;
  const { game, ply, position, house, id } = value as Record<string, unknown>;
  return (
    typeof game === 'string' &&
    typeof ply === 'number' &&
    typeof position === 'string' &&
    typeof id === 'string' &&
    typeof house === 'string' &&
    /^[A-Fa-f]$/.test(house)
  );
}

/** The move kept for a game, if there is one that can be read. */
export function recall(storage: Storage, game: string): Pending | null {
  try {
    const value: unknown = JSON.parse(storage.getItem(KEY + game) ?? 'null');
    return isPending(value) && value.game === game ? value : null;
  } catch {
    return null;
  }
}

/** Keeps a move, or forgets it. Storage that refuses costs only the safety across a reload. */
export function keep(storage: Storage, game: string, pending: Pending | null): void {
  try {
    if (pending) storage.setItem(KEY + game, JSON.stringify(pending));
    else storage.removeItem(KEY + game);
  } catch {
    return;
  }
}

/** A name for an action that nobody else will use. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
