// Which puzzles somebody wants to see: from the address, so that a list can be shared and the way
// back leads to it.

import { THEMES, type PuzzleSummary, type Theme } from '../../api/study';
import type { SolvedRecord } from './record';

export interface Wanted {
  difficulty: number | null;
  theme: Theme | null;
  open: boolean;
}

export function readWanted(query: URLSearchParams): Wanted {
  const difficulty = Number(query.get('difficulty'));
  const theme = query.get('theme');
  return {
    difficulty: [1, 2, 3, 4, 5].includes(difficulty) ? difficulty : null,
    theme: THEMES.find((one) => one === theme) ?? null,
    open: query.has('open'),
  };
}

export function writeWanted(wanted: Wanted): string {
  const query = new URLSearchParams();
  if (wanted.difficulty !== null) query.set('difficulty', String(wanted.difficulty));
  if (wanted.theme !== null) query.set('theme', wanted.theme);
  if (wanted.open) query.set('open', '1');
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

export function choose(
  all: readonly PuzzleSummary[],
  wanted: Wanted,
  record: SolvedRecord,
): PuzzleSummary[] {
  return all.filter(
    (puzzle) =>
      (wanted.difficulty === null || puzzle.difficulty === wanted.difficulty) &&
      (wanted.theme === null || puzzle.themes.includes(wanted.theme)) &&
      (!wanted.open || record.solved[puzzle.id] === undefined),
  );
}

/** The next puzzle after one: the next that is not solved, from there on round to it again. */
export function next(
  chosen: readonly PuzzleSummary[],
  after: string,
  record: SolvedRecord,
): PuzzleSummary | null {
  const from = chosen.findIndex((puzzle) => puzzle.id === after);
  const turned = [...chosen.slice(from + 1), ...chosen.slice(0, Math.max(from, 0))];
  return turned.find((puzzle) => record.solved[puzzle.id] === undefined) ?? turned[0] ?? null;
}
