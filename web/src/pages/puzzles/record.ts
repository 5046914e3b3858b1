// What somebody has solved, kept in the browser: nobody needs an account for it. Broken or
// foreign values count as nothing solved.

export interface SolvedRecord {
  /** Puzzles by name: solved at the first try, or after a wrong move or a look at the solution. */
  solved: Record<string, 'first' | 'later'>;
  /** Puzzles in a row at the first try. */
  streak: number;
  best: number;
}

const KEY = 'oware.puzzles';

export const NOTHING: SolvedRecord = { solved: {}, streak: 0, best: 0 };

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

export function readRecord(storage: Pick<Storage, 'getItem'>): SolvedRecord {
  let given: unknown;
  try {
    given = JSON.parse(storage.getItem(KEY) ?? '{}');
  } catch {
    return NOTHING;
  }
  if (typeof given !== 'object' || given === null) return NOTHING;
  const { solved, streak, best } = given as Record<string, unknown>;
  const record: SolvedRecord = {
    solved: {},
    streak: isCount(streak) ? streak : 0,
    best: isCount(best) ? best : 0,
  };
  if (typeof solved === 'object' && solved !== null) {
    for (const [id, how] of Object.entries(solved)) {
      if (how === 'first' || how === 'later') record.solved[id] = how;
    }
  }
  return record;
}

export function keepRecord(storage: Pick<Storage, 'setItem'>, record: SolvedRecord): void {
  try {
    storage.setItem(KEY, JSON.stringify(record));
  } catch {
    // Without storage it lasts until the page is left.
  }
}

/** After a puzzle was solved. What was solved at the first try once stays so. */
export function solved(record: SolvedRecord, id: string, clean: boolean): SolvedRecord {
  const before = record.solved[id];
  const how = before === 'first' || (clean && before === undefined) ? 'first' : 'later';
  const streak = clean ? record.streak + (before === undefined ? 1 : 0) : record.streak;
  return {
    solved: { ...record.solved, [id]: how },
    streak,
    best: Math.max(record.best, streak),
  };
}

/** After a first wrong move, or a look at the solution, of a puzzle that was not solved yet. */
export function failed(record: SolvedRecord, id: string): SolvedRecord {
  return record.solved[id] === undefined ? { ...record, streak: 0 } : record;
}
