// Moves in motion: they end where they were said to end, whatever happens on the way.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OwareBoard, Trace } from '../index';
import { cell, gather, mount, name, numbers, places, pointer, press, said } from './helper';
import { after, legal, line, position, shared, start } from './sow';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

function shows(board: OwareBoard, at: { houses: number[]; stores: [number, number] }): void {
  expect(board.counts()).toEqual({ houses: at.houses, stores: at.stores });
  expect(numbers(board)).toEqual([...at.houses, ...at.stores].map(String));
}

describe('a move', () => {
  test.each(['off', 'fast', 'normal', 'slow', 'teaching'] as const)(
    'ends as its position says and resolves, at speed %s',
    async (speed) => {
      const board = mount({ speed });
      let at = start();
      board.position(at);
      for (const move of 'EaDfAaBcDbBfCdDfFdDeFbDcAfDaEf') {
        const trace = legal(at, move as Trace['house']);
        at = after(trace);
        const done = board.play(trace, at);
        expect(board.animating).toBe(speed !== 'off');
        await vi.runAllTimersAsync();
        await done;
        shows(board, at);
        expect(board.animating).toBe(false);
      }
    },
  );

  test('is seen seed by seed', async () => {
    const board = mount({ speed: 'normal' });
    board.position(start());
    const trace = legal(start(), 'C');
    void board.play(trace, after(trace));
    expect(board.counts().houses[2]).toBe(0);
    await vi.advanceTimersByTimeAsync(150 + 90 + 10);
    expect(numbers(board).slice(2, 7)).toEqual(['0', '5', '4', '4', '4']);
    await vi.advanceTimersByTimeAsync(90);
    expect(numbers(board).slice(2, 7)).toEqual(['0', '5', '5', '4', '4']);
    await vi.runAllTimersAsync();
    shows(board, after(trace));
  });

  test('captures go to the store house by house, and the sharing out follows', async () => {
    const from = position([0, 0, 0, 0, 0, 3, 1, 2, 1, 5, 0, 0], [18, 18], 'south');
    const trace = shared(legal(from, 'F'));
    expect(trace.captures).toHaveLength(3);
    const board = mount({ speed: 'normal' });
    board.position(from);
    void board.play(trace, after(trace));
    const seen = new Set<string>();
    for (let i = 0; i < 200 && board.animating; i += 1) {
      await vi.advanceTimersByTimeAsync(20);
      seen.add(numbers(board)[12] ?? '');
    }
    expect([...seen]).toEqual(['18', '20', '23', '25']);
    shows(board, after(trace));
    expect(board.counts().houses.every((seeds) => seeds === 0)).toBe(true);
  });

  test('no seed moves when another arrives', async () => {
    const board = mount({ speed: 'off' });
    board.position(start());
    const before = new Set(places(board));
    const trace = legal(start(), 'C');
    await board.play(trace, after(trace));
    const moved = places(board).filter((place) => !before.has(place));
    expect(moved).toHaveLength(4);
  });
});

describe('interrupting', () => {
  test('a tap finishes the move at once and then counts as a tap', async () => {
    const board = mount({ playable: 'both' });
    board.position(start());
    const trace = legal(start(), 'C');
    const at = after(trace);
    const done = board.play(trace, at);
    const moves = gather<{ house: string }>(board, 'oware-move');
    await vi.advanceTimersByTimeAsync(200);
    expect(board.animating).toBe(true);
    pointer(cell(board, 'a'), 'pointerdown');
    expect(board.animating).toBe(false);
    shows(board, at);
    await done;
    pointer(cell(board, 'a'), 'pointerup');
    cell(board, 'a').click();
    expect(moves).toEqual([{ house: 'a' }]);
    await vi.runAllTimersAsync();
    shows(board, at);
  });

  test('finish, position and removal end it, and nobody is left waiting', async () => {
    for (const end of [
      (board: OwareBoard) => board.finish(),
      (board: OwareBoard) => board.position(start()),
      (board: OwareBoard) => board.remove(),
    ]) {
      const board = mount();
      board.position(start());
      const trace = legal(start(), 'D');
      const done = board.play(trace, after(trace));
      await vi.advanceTimersByTimeAsync(180);
      end(board);
      await done;
      expect(board.animating).toBe(false);
      const seeds = board.counts().houses.reduce((sum, n) => sum + n, 0);
      expect(seeds).toBe(48);
    }
  });

  test('of moves that wait all but the last are jumped', async () => {
    const board = mount();
    board.position(start());
    let at = start();
    const promises: Promise<void>[] = [];
    for (const move of 'CfDbEa') {
      const trace = legal(at, move as Trace['house']);
      at = after(trace);
      promises.push(board.play(trace, at));
    }
    await Promise.all(promises.slice(0, 4));
    expect(board.animating).toBe(true);
    expect(board.counts().houses[6]).toBe(0);
    await vi.runAllTimersAsync();
    await Promise.all(promises);
    shows(board, at);
  });

  test('one move that waits is played after the one that runs', async () => {
    const board = mount();
    board.position(start());
    const one = line('C');
    const two = line('Cf');
    void board.play(one.trace, one.after);
    await vi.advanceTimersByTimeAsync(200);
    const last = board.play(two.trace, two.after);
    await vi.advanceTimersByTimeAsync(200);
    expect(board.counts().houses[11]).toBeGreaterThanOrEqual(4);
    await vi.runAllTimersAsync();
    await last;
    shows(board, two.after);
  });
});

describe('a board that has drifted', () => {
  test('is put right and says so', async () => {
    const board = mount();
    const drifts = gather<{ expected: { houses: number[] } }>(board, 'oware-drift');
    const { trace, after: at } = line('Cf');
    board.position(start());
    void board.play(trace, at);
    await vi.runAllTimersAsync();
    expect(drifts).toHaveLength(1);
    expect(drifts[0]?.expected.houses).toEqual(at.houses);
    shows(board, at);
  });

  test('also where a trace and the position after it disagree', async () => {
    const board = mount({ speed: 'off' });
    const drifts = gather(board, 'oware-drift');
    board.position(start());
    const trace = legal(start(), 'C');
    const at = { ...after(trace), stores: [1, 0] as [number, number] };
    await board.play(trace, at);
    expect(drifts).toHaveLength(1);
    shows(board, at);
  });

  test('and keeps silent when all is well', async () => {
    const board = mount();
    const drifts = gather(board, 'oware-drift');
    board.position(start());
    const trace = legal(start(), 'C');
    void board.play(trace, after(trace));
    await vi.runAllTimersAsync();
    expect(drifts).toEqual([]);
  });
});

describe('reduced motion', () => {
  test('nothing moves: the end is there at once and no animation is made', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('reduce') }));
    const animate = vi.fn();
    vi.stubGlobal('SVGElement', SVGElement);
    Object.defineProperty(SVGElement.prototype, 'animate', { value: animate, configurable: true });
    const board = mount({ speed: 'teaching' });
    board.position(start());
    const trace = legal(start(), 'C');
    const done = board.play(trace, after(trace));
    expect(board.animating).toBe(false);
    shows(board, after(trace));
    await done;
    expect(animate).not.toHaveBeenCalled();
    Reflect.deleteProperty(SVGElement.prototype, 'animate');
  });

  test('where motion is wanted there is some', async () => {
    const animate = vi.fn(() => ({ cancel: vi.fn() }));
    Object.defineProperty(SVGElement.prototype, 'animate', { value: animate, configurable: true });
    const board = mount();
    board.position(start());
    const trace = legal(start(), 'C');
    void board.play(trace, after(trace));
    await vi.runAllTimersAsync();
    expect(animate.mock.calls.length).toBeGreaterThanOrEqual(8);
    Reflect.deleteProperty(SVGElement.prototype, 'animate');
  });
});

describe('what is said', () => {
  test('is one sentence per move', async () => {
    const board = mount({ viewpoint: 'south' });
    board.position(start());
    let at = start();
    for (const move of 'EaDfAaBcDbBfCdDfFd') {
      const trace = legal(at, move as Trace['house']);
      at = after(trace);
      void board.play(trace, at);
      await vi.runAllTimersAsync();
      expect(said(board).match(/[.!?]/g)).toHaveLength(1);
      expect(said(board)).toMatch(/^(You|Opponent) played house \d, \d+ seeds?, .*\.$/);
    }
    expect(board.shadowRoot?.querySelectorAll('[aria-live]')).toHaveLength(1);
  });

  test('names what happened and what is now', async () => {
    const from = position([0, 0, 0, 0, 0, 3, 1, 2, 1, 5, 0, 0], [18, 18], 'south');
    const trace = legal(from, 'F');
    const board = mount({ viewpoint: 'north', speed: 'off' });
    board.position(from);
    await board.play(trace, after(trace));
    expect(said(board)).toBe(
      'Opponent played house 6, 3 seeds, ending in your house 3, taking 7, you 18, opponent 25, ' +
        'the game is over.',
    );
    expect(name(board, 'c')).toMatch(/^your house 3, 0 seeds/);
    press(board, 's');
    expect(said(board)).toBe('You 18, opponent 25.');
  });
});
