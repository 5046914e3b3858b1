// What the board shows while a move of one's own is on its way: the move, played by its own trace.

import type { GameView, PositionView, Trace } from '../api/types';
import type { Pending } from './decide';
import { other } from './reduce';

/** A position as it is shown, and the move that led to it. */
export interface Shown {
  /** How many plies lie behind. */
  ply: number;
  position: PositionView;
  last: Trace | null;
}

/** The position after a legal move, without what only the server can say of it. */
export function after(before: PositionView, trace: Trace): PositionView {
  const houses = [...trace.houses];
  const stores: [number, number] = [...trace.stores];
  for (const step of trace.sharing) {
    if (step.step !== 'collect') continue;
    houses['ABCDEFabcdef'.indexOf(step.house)] = 0;
    stores[step.to === 'south' ? 0 : 1] += step.seeds;
  }
  return {
    ...before,
    houses,
    stores,
    to_move: other(trace.side),
    legal: [],
    forbidden: [],
  };
}

/** The game as it stands for the person here: with the move that is on its way. */
export function now(view: GameView, pending: Pending | null): Shown {
  const { state, plies } = view;
  if (pending && pending.ply === plies.length + 1 && pending.position === state.position) {
    const trace = state.legal.find((one) => one.house === pending.house);
    if (trace) return { ply: plies.length + 1, position: after(state, trace), last: trace };
  }
  return { ply: plies.length, position: state, last: plies.at(-1)?.trace ?? null };
}

/** The game as it stood after so many plies, to be looked at only. */
export function at(view: GameView, ply: number): Shown {
  const trace = view.plies[ply - 1]?.trace;
  if (ply >= view.plies.length) return now(view, null);
  if (!trace) {
    return { ply: 0, position: { ...view.start, legal: [], forbidden: [] }, last: null };
  }
  return { ply, position: after(view.start, trace), last: trace };
}
