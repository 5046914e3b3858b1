// A game in a tab: the move on its way through everything that can go wrong with a line.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClientFrame, GameView } from '../src/api/types';
import { LiveGame } from '../src/live/game.svelte';
import { FakeServer, game, START, trace } from './harness';

let server: FakeServer;
let live: LiveGame;

function open(view: GameView | null = null): void {
  live = new LiveGame(server.line, 'g', localStorage, view);
  server.wire.hello();
}

function snapshot(view: GameView): void {
  server.wire.hear({ t: 'snapshot', game: view });
}

function moves(): ClientFrame[] {
  return server.wire.of('act').filter((frame) => frame.t === 'act' && frame.action === 'move');
}

function moved(seq: number, house: 'A' | 'F', id: string): void {
  server.wire.hear({
    t: 'event',
    game: 'g',
    event: {
      seq,
      at: 0,
      kind: 'moved',
      ply: { ply: 1, trace: trace(house), played_at: 0, spent_ms: null },
      state: { ...START, position: `after ${house}`, to_move: 'north' },
      clock: null,
      id,
      lag_ms: 0,
    },
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  server = new FakeServer();
});

afterEach(() => {
  live.close();
  vi.useRealTimers();
});

describe('a move', () => {
  it('is sent once, however often one clicks', () => {
    open();
    snapshot(game());
    expect(live.move('A')).toBe(true);
    expect(live.move('A')).toBe(false);
    expect(live.move('F')).toBe(false);
    expect(moves()).toHaveLength(1);
    expect(live.mayMove).toBe(false);
    moved(11, 'A', 'x');
    expect(live.pending).toBeNull();
    expect(localStorage).toHaveLength(0);
    expect(live.view?.plies).toHaveLength(1);
  });

  it('is not sent where it is not legal or not ours to make', () => {
    open();
    expect(live.move('A')).toBe(false);
    snapshot(game());
    expect(live.move('B')).toBe(false);
    snapshot(game('F'));
    expect(live.move('A')).toBe(false);
    expect(moves()).toEqual([]);
  });

  it('made while the line is broken is sent when it is there again, under one name', () => {
    open();
    snapshot(game());
    server.wire.onclose?.({ code: 1006 });
    expect(live.move('A')).toBe(true);
    server.pass(400);
    server.wire.hello();
    // Only a snapshot says for certain where the game stands.
    expect(server.wire.of('watch')).toEqual([{ t: 'watch', game: 'g' }]);
    expect(moves()).toEqual([]);
    snapshot(game());
    expect(moves()).toHaveLength(1);
    expect(moves()[0]).toMatchObject({ ply: 1, house: 'A', id: live.pending?.id });
  });

  it('survives a reload of the page', () => {
    open();
    snapshot(game());
    server.wire.onclose?.({ code: 1006 });
    live.move('F');
    const name = live.pending?.id;
    live.close();
    server = new FakeServer();
    open();
    expect(live.pending?.id).toBe(name);
    expect(live.mayMove).toBe(false);
    snapshot(game());
    expect(moves()[0]).toMatchObject({ ply: 1, house: 'F', id: name });
  });

  it('whose answer was lost is not played twice', () => {
    open();
    snapshot(game());
    live.move('A');
    server.wire.onclose?.({ code: 1006 });
    server.pass(400);
    server.wire.hello();
    snapshot(game('A'));
    expect(live.pending).toBeNull();
    expect(moves()).toEqual([]);
    expect(live.notice).toBeNull();
  });

  it('that no longer fits is dropped, and the person is told', () => {
    open();
    snapshot(game());
    live.move('A');
    server.wire.onclose?.({ code: 1006 });
    server.pass(400);
    server.wire.hello();
    snapshot(game('F'));
    expect(live.pending).toBeNull();
    expect(moves()).toEqual([]);
    expect(live.notice).toEqual({ key: 'notice-move-dropped' });
  });

  it('that was refused is taken back from the board, and the person is told why', () => {
    open();
    snapshot(game());
    live.move('A');
    const id = live.pending?.id ?? '';
    const fault = { code: 'illegal_move', message: 'no' };
    server.wire.hear({ t: 'refused', id, game: 'g', fault });
    expect(live.pending).toBeNull();
    expect(live.notice).toEqual({ fault });
    expect(localStorage).toHaveLength(0);
  });

  it('that a busy server refused is kept and sent again', () => {
    open();
    snapshot(game());
    live.move('A');
    const id = live.pending?.id ?? '';
    const fault = { code: 'busy', message: 'wait' };
    server.wire.hear({ t: 'refused', id, game: 'g', fault });
    expect(live.pending?.id).toBe(id);
    vi.advanceTimersByTime(1600);
    snapshot(game());
    expect(moves()).toHaveLength(2);
    expect(moves()[1]).toMatchObject({ id });
  });

  it('of which nothing is heard is asked about, and sent again if need be', () => {
    open();
    snapshot(game());
    live.move('A');
    const watches = server.wire.of('watch').length;
    vi.advanceTimersByTime(2600);
    expect(server.wire.of('watch')).toHaveLength(watches + 1);
    snapshot(game());
    expect(moves()).toHaveLength(2);
  });

  it('made in another tab ends the one that waits here', () => {
    open();
    snapshot(game());
    live.move('A');
    moved(11, 'F', 'other');
    expect(live.pending).toBeNull();
    expect(live.notice).toEqual({ key: 'notice-move-dropped' });
  });
});

describe('events', () => {
  it('that come twice are taken once, and a gap is asked for', () => {
    open();
    snapshot(game());
    moved(11, 'A', 'x');
    moved(11, 'A', 'x');
    expect(live.view?.plies).toHaveLength(1);
    moved(14, 'A', 'y');
    expect(live.view?.plies).toHaveLength(1);
    expect(server.wire.of('watch').at(-1)).toEqual({ t: 'watch', game: 'g', seq: 11 });
  });

  it('of another game change nothing', () => {
    open();
    snapshot(game());
    server.wire.hear({ t: 'snapshot', game: { ...game('FfA'), id: 'h' } });
    expect(live.view?.plies).toHaveLength(0);
  });

  it('are not undone by a snapshot that was late', () => {
    open();
    snapshot(game());
    moved(11, 'A', 'x');
    snapshot(game());
    expect(live.view?.plies).toHaveLength(1);
  });

  it('that were lost on the way are found by asking now and then', () => {
    open();
    snapshot(game('A'));
    const watches = server.wire.of('watch').length;
    vi.advanceTimersByTime(10_000);
    expect(server.wire.of('watch')).toHaveLength(watches + 1);
  });

  it('tell who is away', () => {
    open();
    snapshot(game());
    server.wire.hear({
      t: 'presence',
      game: 'g',
      online: [true, false],
      claim_at: [null, 5000],
      watchers: 3,
    });
    expect(live.view?.north).toMatchObject({ online: false, claim_at: 5000 });
    expect(live.view?.watchers).toBe(3);
  });
});

it('a game that is not there is said to be missing', () => {
  open();
  const fault = { code: 'not_found', message: 'no' };
  server.wire.hear({ t: 'refused', id: null, game: 'g', fault });
  expect(live.missing).toBe(true);
});
