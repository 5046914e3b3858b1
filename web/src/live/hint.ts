// Asks the engine what it would play.

import { lines } from '../api/client';
import type { Fault, GameView, House } from '../api/types';

interface Line {
  kind: 'tables' | 'depth' | 'done' | 'failed';
  moves?: { house: House }[];
  fault?: Fault;
}

/** The house the engine would play in a game as it stands, after at most so many milliseconds. */
export async function hint(
  view: GameView,
  milliseconds: number,
  signal: AbortSignal,
): Promise<House | null> {
  let best: House | null = null;
  const request = {
    rules: view.rules,
    start: view.start.position,
    // The way here counts: what has come up before may end the game.
    moves: view.plies.map((ply) => ply.trace.house).join(''),
    lines: 1,
    milliseconds,
  };
  const each = (line: Line): void => {
    if (line.kind === 'depth' || line.kind === 'done') best = line.moves?.[0]?.house ?? best;
  };
  await lines<Line>('/analysis', request, each, signal);
  return best;
}
