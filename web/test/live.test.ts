// What decides about a live game, case by case.

import { describe, expect, it } from 'vitest';
import type { GameEvent, GameView, Trace } from '../src/api/types';
import { clockText, left, ServerTime } from '../src/live/clock';
import { decide, keep, newId, recall, type Pending } from '../src/live/decide';
import { after, at, now } from '../src/live/optimistic';
import { reduce } from '../src/live/reduce';
import { repetitionLimit, spectators } from '../src/live/table';
import { game, START, trace } from './harness';

describe('a move on its way', () => {
  const pending: Pending = { game: 'g', ply: 3, position: 'after Ff', house: 'A', id: 'x' };

  it.each([
    ['nothing waits', null, game('Ff'), 'nothing'],
    ['it is of another game', { ...pending, game: 'h' }, game('Ff'), 'nothing'],
    ['the server is one ply behind, same position', pending, game('Ff'), 'send'],
    ['the server has it', pending, game('FfA'), 'done'],
    ['the server has it and the answer to it', pending, game('FfAb'), 'done'],
    ['another tab played another house', pending, game('FfB'), 'drop'],
    ['a move was taken back', pending, game('F'), 'drop'],
    ['another way to the same ply', pending, game('Fe'), 'drop'],
    ['the game is over', pending, { ...game('Ff'), status: 'over' as const }, 'drop'],
    ['it ended the game', pending, { ...game('FfA'), status: 'over' as const }, 'done'],
  ])('%s', (_, waits, server, decision) => {
    expect(decide(waits, server)).toBe(decision);
  });

  it('survives a reload, and only for its game', () => {
    keep(localStorage, 'g', pending);
    expect(recall(localStorage, 'g')).toEqual(pending);
    expect(recall(localStorage, 'h')).toBeNull();
    keep(localStorage, 'g', null);
    expect(recall(localStorage, 'g')).toBeNull();
  });

  it('is forgotten where it cannot be read', () => {
    for (const text of ['{', '[]', 'null', '7', '{"game":"g"}', '{"game":"g","house":"z"}']) {
      localStorage.setItem('oware.pending.g', text);
      expect(recall(localStorage, 'g'), text).toBeNull();
    }
    localStorage.clear();
  });

  it('has a name the server takes, never the same twice', () => {
    const names = new Set(Array.from({ length: 100 }, newId));
    expect(names.size).toBe(100);
    for (const name of names) expect(name).toMatch(/^[\w-]{1,40}$/);
  });
});

describe('events', () => {
  const moved = (seq: number): GameEvent => ({
    seq,
    at: 5,
    kind: 'moved',
    ply: { ply: 1, trace: trace('F'), played_at: 5, spent_ms: null },
    state: { ...START, position: 'after F', to_move: 'north' },
    clock: null,
    id: 'x',
    lag_ms: 0,
  });

  it('are taken once and without a gap', () => {
    expect(reduce(game(), moved(10))).toBe('old');
    expect(reduce(game(), moved(12))).toBe('gap');
    const next = reduce(game(), moved(11)) as GameView;
    expect(next.seq).toBe(11);
    expect(next.plies.map((ply) => ply.trace.house)).toEqual(['F']);
    expect(next.state.to_move).toBe('north');
    expect(reduce(next, moved(11))).toBe('old');
  });

  it('of offers come and lapse', () => {
    const event = { seq: 11, at: 0, kind: 'offered', by: 'north', offer: 'draw' } as const;
    const offered = reduce(game(), event) as GameView;
    expect(offered.offer).toEqual({ by: 'north', offer: 'draw' });
    expect((reduce(offered, moved(12)) as GameView).offer).toBeNull();
    const declined = { ...event, seq: 12, kind: 'declined' as const };
    expect((reduce(offered, declined) as GameView).offer).toBeNull();
    expect((reduce(offered, declined) as GameView).log).toHaveLength(2);
  });

  it('take moves back', () => {
    const event = {
      seq: 14,
      at: 0,
      kind: 'taken_back',
      plies: 2,
      state: START,
      clock: null,
    } as const;
    const back = reduce(game('FfA'), event) as GameView;
    expect(back.plies).toHaveLength(1);
    expect(back.state.position).toBe('start');
  });

  it('end the game with its ratings', () => {
    const ending = {
      reason: 'majority',
      score: [25, 20] as [number, number],
      winner: 'south' as const,
    };
    const event: GameEvent = {
      seq: 13,
      at: 0,
      kind: 'ended',
      ending,
      by: null,
      state: START,
      clock: null,
      rating_change: [8, -8],
    };
    const over = reduce(game('Ff'), event) as GameView;
    expect(over.status).toBe('over');
    expect(over.state.ending).toEqual(ending);
    expect(over.south.rating_change).toBe(8);
    expect(over.north.rating_change).toBe(-8);
  });

  it('lead on to the next game of a match and to a rematch', () => {
    const match = { id: 'm', game: 1, games: 2, points: [0, 0], seeds: [0, 0], next: null };
    const first = { ...game(), match: match as GameView['match'] };
    const next = { seq: 11, at: 0, kind: 'next', game: 'n', rematch: false } as const;
    expect((reduce(first, next) as GameView).match?.next).toBe('n');
    expect((reduce(first, { ...next, rematch: true }) as GameView).rematch).toBe('n');
  });
});

describe('what is shown', () => {
  const view = { ...game(), state: { ...START, legal: [trace('F')] } };
  const pending: Pending = { game: 'g', ply: 1, position: 'start', house: 'F', id: 'x' };

  it('is the game, or the game with the move on its way', () => {
    expect(now(view, null).ply).toBe(0);
    const shown = now(view, pending);
    expect(shown.ply).toBe(1);
    expect(shown.position.houses[5]).toBe(0);
    expect(shown.position.to_move).toBe('north');
    expect(shown.position.legal).toEqual([]);
    // The server has another position: the move is not laid over it.
    expect(now(view, { ...pending, position: 'else' }).ply).toBe(0);
  });

  it('shares out where the move ends the game', () => {
    const last: Trace = {
      ...trace('F'),
      sharing: [
        { step: 'collect', house: 'A', seeds: 4, to: 'south' },
        { step: 'collect', house: 'a', seeds: 5, to: 'north' },
      ],
    };
    const end = after(START, last);
    expect(end.houses[0]).toBe(0);
    expect(end.houses[6]).toBe(0);
    expect(end.stores).toEqual([4, 5]);
  });

  it('looks back', () => {
    const long = game('Ff');
    expect(at(long, 0).position.houses).toEqual(START.houses);
    expect(at(long, 0).last).toBeNull();
    expect(at(long, 1).last?.house).toBe('F');
    expect(at(long, 2).position.position).toBe('after Ff');
  });
});

describe('clocks', () => {
  it('count down by the server and never below nothing', () => {
    const clock = {
      left_ms: [60_000, 50_000] as [number, number],
      running: 'south' as const,
      at: 1000,
    };
    expect(left(clock, 'south', 11_000)).toBe(50_000);
    expect(left(clock, 'north', 11_000)).toBe(50_000);
    expect(left(clock, 'south', 500)).toBe(60_000);
    expect(left(clock, 'south', 1e9)).toBe(0);
    expect(left(clock, 'south', 11_000, true)).toBe(60_000);
  });

  it.each([
    [0, '0:00.0'],
    [1, '0:00.1'],
    [9_940, '0:09.9'],
    [9_999, '0:09.9'],
    [10_000, '0:10'],
    [59_001, '1:00'],
    [300_000, '5:00'],
    [3_723_000, '1:02:03'],
  ])('%i ms is %s', (ms, text) => {
    expect(clockText(ms)).toBe(text);
  });

  it('trust the fastest answer, but not for ever', () => {
    const time = new ServerTime();
    const offset = (): number => Math.round(time.now() - performance.now());
    time.learn(1_000_100, 0, 20);
    expect(offset()).toBe(1_000_110);
    time.learn(1_009_000, 0, 900);
    expect(offset()).toBe(1_000_110);
    for (let n = 0; n < 60; n += 1) time.learn(1_009_000, 0, 900);
    expect(offset()).toBe(1_009_450);
  });
});

it.each([
  ['abapa', 3],
  ['abapa-first-repetition', 2],
  ['awari', 2],
  ['abapa,repetition=5', 5],
  ['abapa,repetition=off', null],
  ['slam-illegal', 3],
])('under %s a position may come up %s times', (rules, limit) => {
  expect(repetitionLimit(rules)).toBe(limit);
});

it('players do not watch their own game', () => {
  const away = { ...game().north, online: false };
  expect(spectators({ ...game(), watchers: 2 })).toBe(0);
  expect(spectators({ ...game(), watchers: 5 })).toBe(3);
  expect(spectators({ ...game(), north: away, watchers: 1 })).toBe(0);
  expect(spectators({ ...game(), you: ['south', 'north'], watchers: 1 })).toBe(0);
});
