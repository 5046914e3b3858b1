// What the puzzle pages decide: which puzzles are shown, which comes next, what counts as solved.

import { describe, expect, it } from 'vitest';
import type { PuzzleSummary } from '../src/api/study';
import { choose, next, readWanted, writeWanted } from '../src/pages/puzzles/choice';
import { failed, keepRecord, NOTHING, readRecord, solved } from '../src/pages/puzzles/record';

function puzzle(id: string, difficulty: number, themes: PuzzleSummary['themes']): PuzzleSummary {
  return { id, position: '', goal: 'win', difficulty, themes, moves: 1 };
}

const ALL = [
  puzzle('a', 1, ['capture']),
  puzzle('b', 1, ['quiet']),
  puzzle('c', 2, ['capture', 'long']),
  puzzle('d', 5, []),
];

describe('the list', () => {
  it('goes through the address and back', () => {
    for (const text of ['', '?difficulty=2', '?theme=quiet&open=1']) {
      expect(writeWanted(readWanted(new URLSearchParams(text)))).toBe(text);
    }
    const nonsense = readWanted(new URLSearchParams('difficulty=9&theme=luck'));
    expect(nonsense).toEqual({ difficulty: null, theme: null, open: false });
  });

  it('shows what is wanted', () => {
    const ids = (query: string, record = NOTHING) =>
      choose(ALL, readWanted(new URLSearchParams(query)), record).map((one) => one.id);
    expect(ids('')).toEqual(['a', 'b', 'c', 'd']);
    expect(ids('theme=capture')).toEqual(['a', 'c']);
    expect(ids('difficulty=1&open=1', solved(NOTHING, 'a', true))).toEqual(['b']);
  });

  it('leads on to what is not solved, and round to the beginning', () => {
    expect(next(ALL, 'a', NOTHING)?.id).toBe('b');
    expect(next(ALL, 'd', NOTHING)?.id).toBe('a');
    const some = solved(solved(NOTHING, 'b', true), 'c', false);
    expect(next(ALL, 'a', some)?.id).toBe('d');
    expect(next(ALL, 'unknown', NOTHING)?.id).toBe('a');
    expect(next([], 'a', NOTHING)).toBeNull();
  });
});

describe('the record', () => {
  it('counts a row of first tries and keeps the best', () => {
    let record = solved(solved(NOTHING, 'a', true), 'b', true);
    expect(record).toMatchObject({ streak: 2, best: 2, solved: { a: 'first', b: 'first' } });
    record = failed(record, 'c');
    expect(record).toMatchObject({ streak: 0, best: 2 });
    record = solved(record, 'c', false);
    expect(record.solved['c']).toBe('later');
    expect(record.streak).toBe(0);
  });

  it('is not raised by solving the same puzzle again, nor spoilt by failing at it', () => {
    const once = solved(NOTHING, 'a', true);
    expect(solved(once, 'a', true)).toEqual(once);
    expect(failed(once, 'a')).toEqual(once);
    expect(solved(once, 'a', false).solved['a']).toBe('first');
    expect(solved(solved(NOTHING, 'b', false), 'b', true).solved['b']).toBe('later');
  });

  it('is kept, and survives what it does not understand', () => {
    const store = new Map<string, string>();
    const storage = {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => void store.set(key, value),
    };
    expect(readRecord(storage)).toEqual(NOTHING);
    const record = solved(NOTHING, 'a', true);
    keepRecord(storage, record);
    expect(readRecord(storage)).toEqual(record);
    for (const broken of ['{', 'null', '3', '{"solved":{"a":"no"},"streak":-1,"best":"x"}']) {
      store.set('oware.puzzles', broken);
      expect(readRecord(storage)).toEqual(NOTHING);
    }
    const full = {
      setItem: () => {
        throw new Error('full');
      },
    };
    expect(() => keepRecord(full, record)).not.toThrow();
  });
});
