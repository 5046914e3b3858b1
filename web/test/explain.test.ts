// What is said where a rule strikes, and how ends are told.

import { flushSync, mount, unmount } from 'svelte';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GameView } from '../src/api/types';
import { need, speak, t } from '../src/i18n.svelte';
import { now } from '../src/live/optimistic';
import Explain from '../src/parts/Explain.svelte';
import { game, START, trace } from './harness';

beforeAll(async () => {
  await speak('en');
  await need('site', 'game');
});

/** The title and the reasons shown for a game. */
function told(view: GameView, waiting = false): { title: string; whys: string[] } {
  const component = mount(Explain, {
    target: document.body,
    props: { view, shown: now(view, null), waiting },
  });
  flushSync();
  const texts = (selector: string): string[] =>
    [...document.querySelectorAll(selector)].map((one) => one.textContent ?? '');
  const result = { title: texts('.explain .title')[0] ?? '', whys: texts('.explain .why') };
  void unmount(component);
  return result;
}

function ended(
  reason: string,
  winner: 'south' | 'north' | null,
  score: [number, number],
): GameView {
  const view = game('Ff');
  return { ...view, status: 'over', state: { ...view.state, ending: { reason, winner, score } } };
}

describe('the turn', () => {
  it('is said', () => {
    expect(told(game()).title).toBe('Your turn');
    expect(told(game('F')).title).toBe('North to move');
    const computer = { ...game('F').north, kind: 'computer' as const, level: 3 };
    expect(told({ ...game('F'), north: computer }).title).toBe('The computer is thinking');
    expect(told({ ...game(), you: ['south', 'north'] }).title).toBe('South to move');
    expect(told({ ...game(), status: 'waiting' }).title).toBe('Waiting for somebody to sit down');
    expect(told(game(), true).title).toBe('Your move is waiting to be sent');
  });
});

describe('surprising rules', () => {
  it.each([
    ['nothing_captured', /grand slam.*takes nothing/],
    ['kept', /one house of the chain stays/],
    ['captured_all', /a grand slam/],
    ['opponent_took_rest', /opponent gets what is left/],
  ] as const)('a grand slam of which came %s', (outcome, words) => {
    const view = game('Ff');
    const last = view.plies[1];
    if (last) last.trace = { ...trace('f', 'north'), grand_slam: outcome };
    const { whys } = told(view);
    expect(whys).toHaveLength(1);
    expect(whys[0]).toMatch(words);
    expect(whys[0]).toMatch(/^North/);
  });

  it.each([
    ['must_feed', /must give it seeds. A C would give none/],
    ['grand_slam', /A C would take every seed/],
    ['leaves_no_seed', /A C would leave the other row without/],
  ] as const)('houses that may not be played: %s', (reason, words) => {
    const view = game('Ff');
    const forbidden = [
      { house: 'A' as const, reason },
      { house: 'B' as const, reason: 'empty' as const },
      { house: 'C' as const, reason },
    ];
    const { whys } = told({ ...view, state: { ...view.state, forbidden } });
    expect(whys).toHaveLength(1);
    expect(whys[0]).toMatch(words);
  });

  it('a house that is skipped', () => {
    const view = game('F');
    const last = view.plies[0];
    if (last) last.trace = { ...trace('F'), lifted: 13, laps: 1 };
    expect(told(view).whys).toEqual([expect.stringMatching(/^F held twelve seeds or more/)]);
  });

  it('a repetition that is near, by the rules of the game', () => {
    const view = { ...game(), state: { ...START, occurrences: 2 } };
    expect(told(view).whys).toEqual([expect.stringMatching(/come up 2 times.*comes up 3 times/)]);
    expect(told({ ...view, rules: 'abapa,repetition=off' }).whys).toEqual([]);
  });
});

describe('the end', () => {
  it.each([
    [ended('majority', 'south', [25, 20]), 'You win, 25 to 20'],
    [ended('no_move', 'north', [20.5, 27.5]), 'You lose, 20.5 to 27.5'],
    [ended('even', null, [24, 24]), 'A draw, 24 to 24'],
    [{ ...ended('majority', 'north', [20, 25]), you: [] }, 'North wins, 25 to 20'],
    [ended('aborted', null, [0, 0]), 'The game was called off'],
  ])('%#', (view, title) => {
    expect(told(view).title).toBe(title);
  });

  it('has words for every reason the rules and the match know', () => {
    const reasons = [
      ...['majority', 'even', 'no_move', 'repetition', 'loop_agreed', 'capture_free_limit'],
      ...['grand_slam_rest', 'draw_agreed', 'resignation', 'time', 'abandonment', 'adjudication'],
      'aborted',
    ];
    for (const reason of reasons) {
      const key = `end-${reason.replaceAll('_', '-')}`;
      expect(t(key), reason).not.toBe(key);
      expect(told(ended(reason, 'south', [25, 23])).whys[0]).toBe(t(key));
    }
  });
});
