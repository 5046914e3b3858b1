// Mouse, finger, keys and screen reader: one component for all of them.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { meaningOf } from '../index';
import type { OwareBoard, Trace } from '../index';
import { cell, gather, mount, name, pointer, press, root, said } from './helper';
import { after, legal, line, position, start } from './sow';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

/** Answers moves as a host does. */
function host(board: OwareBoard): string[] {
  const played: string[] = [];
  let at = start();
  board.position(at);
  board.addEventListener('oware-move', (event) => {
    const { house } = event.detail;
    played.push(house);
    const trace = legal(at, house);
    at = after(trace);
    void board.play(trace, at);
  });
  return played;
}

function key(text: string, shiftKey = false) {
  return { key: text, shiftKey, ctrlKey: false, altKey: false, metaKey: false };
}

describe('mouse and finger', () => {
  test('one click plays', () => {
    const board = mount({ playable: 'south', speed: 'off' });
    const played = host(board);
    cell(board, 'C').click();
    expect(played).toEqual(['C']);
  });

  test('a double click is one move until the host has answered', () => {
    const board = mount({ playable: 'both' });
    board.position(start());
    const moves = gather(board, 'oware-move');
    cell(board, 'C').click();
    cell(board, 'C').click();
    cell(board, 'D').click();
    expect(moves).toHaveLength(1);
    board.position(start());
    cell(board, 'D').click();
    expect(moves).toHaveLength(2);
  });

  test('houses of the other side, and any house out of turn, do nothing', () => {
    const board = mount({ playable: 'north' });
    board.position(start());
    const moves = gather(board, 'oware-move');
    for (const house of 'ABCabc') cell(board, house).click();
    board.config({ playable: 'none' });
    for (const house of 'ABCabc') cell(board, house).click();
    expect(moves).toEqual([]);
  });

  test('choose first, then confirm; Escape gives up', () => {
    const board = mount({ playable: 'south', input: 'confirm' });
    board.position(start());
    const moves = gather<{ house: string }>(board, 'oware-move');
    const chosen = gather<{ house: string | null }>(board, 'oware-choose');
    cell(board, 'C').click();
    expect(moves).toEqual([]);
    expect(cell(board, 'C').getAttribute('aria-selected')).toBe('true');
    expect(said(board)).toContain('your house 3, 4 seeds, chosen');
    cell(board, 'D').click();
    press(board, 'Escape');
    expect(chosen).toEqual([{ house: 'C' }, { house: 'D' }, { house: null }]);
    cell(board, 'D').click();
    cell(board, 'D').click();
    expect(moves).toEqual([{ house: 'D' }]);
    board.position(start());
    cell(board, 'E').click();
    board.confirm();
    expect(moves.at(-1)).toEqual({ house: 'E' });
  });

  test('a long press previews, then spreads the house, and does not play', async () => {
    const board = mount({ playable: 'south' });
    board.position(start());
    const moves = gather(board, 'oware-move');
    const previews = gather<{ house: string | null }>(board, 'oware-preview');
    const at = cell(board, 'C');
    pointer(at, 'pointerdown', 'touch');
    await vi.advanceTimersByTimeAsync(400);
    expect(previews).toEqual([{ house: 'C' }]);
    await vi.advanceTimersByTimeAsync(600);
    expect(root(board).querySelectorAll('.spread use')).toHaveLength(4);
    pointer(at, 'pointerup', 'touch');
    at.click();
    expect(root(board).querySelectorAll('.spread use')).toHaveLength(0);
    expect(previews.at(-1)).toEqual({ house: null });
    expect(moves).toEqual([]);
    at.click();
    expect(moves).toHaveLength(1);
  });
});

describe('slow hands', () => {
  test('a slow click of a mouse plays; a longer one spreads the house', async () => {
    const board = mount({ playable: 'south' });
    board.position(start());
    const moves = gather(board, 'oware-move');
    const at = cell(board, 'C');
    pointer(at, 'pointerdown');
    await vi.advanceTimersByTimeAsync(700);
    expect(root(board).querySelectorAll('.spread use')).toHaveLength(4);
    pointer(at, 'pointerup');
    at.click();
    expect(moves).toHaveLength(0);
    pointer(at, 'pointerdown');
    await vi.advanceTimersByTimeAsync(500);
    pointer(at, 'pointerup');
    at.click();
    expect(moves).toHaveLength(1);
  });

  test('a key held down plays once', () => {
    const board = mount({ playable: 'south' });
    const played = host(board);
    const hold = (key: string) =>
      root(board)
        .querySelector('[tabindex="0"]')
        ?.dispatchEvent(new KeyboardEvent('keydown', { key, repeat: true, bubbles: true }));
    hold('Enter');
    hold('1');
    expect(played).toEqual([]);
    press(board, '1');
    hold('1');
    expect(played).toEqual(['A']);
  });
});

describe('preview', () => {
  const sowing = position([5, 6, 8, 0, 0, 14, 1, 2, 1, 1, 0, 0], [5, 5], 'south');

  test('shows seeds per house, heavier where passed twice, captures and stores', () => {
    const board = mount({ playable: 'south' });
    board.position(sowing);
    pointer(cell(board, 'F'), 'pointerover');
    const texts = [...root(board).querySelectorAll('.preview text')];
    const words = texts.map((text) => text.textContent);
    expect(words.filter((word) => word === '+2')).toHaveLength(3);
    expect(words.filter((word) => word === '+1')).toHaveLength(8);
    expect(words).toContain('−3');
    expect(words).toContain('→8');
    const heavy = texts.filter((text) => text.classList.contains('heavy'));
    expect(heavy.map((text) => text.textContent)).toEqual(['+2', '+2', '+2']);
    pointer(root(board).querySelector('.grid') as Element, 'pointerleave');
    expect(root(board).querySelectorAll('.preview text')).toHaveLength(0);
  });

  test('waits for the pointer to move when the position has changed under it', async () => {
    const board = mount({ playable: 'both', speed: 'off' });
    board.position(start());
    const count = () => root(board).querySelectorAll('.preview text').length;
    pointer(cell(board, 'a'), 'pointerover');
    expect(count()).toBe(0);
    const { trace, after: at } = line('C');
    await board.play(trace, at);
    expect(count()).toBe(0);
    pointer(cell(board, 'b'), 'pointerover');
    expect(count()).toBeGreaterThan(0);
    board.position({ ...at });
    expect(count()).toBeGreaterThan(0);
  });

  test('comes by focus too, is never there for the opponent, and can be off', () => {
    const board = mount({ playable: 'south' });
    board.position(sowing);
    const count = () => root(board).querySelectorAll('.preview text').length;
    press(board, 'ArrowRight');
    expect(count()).toBeGreaterThan(0);
    press(board, 'ArrowUp');
    expect(count()).toBe(0);
    pointer(cell(board, 'a'), 'pointerover');
    expect(count()).toBe(0);
    board.config({ preview: false });
    pointer(cell(board, 'F'), 'pointerover');
    expect(count()).toBe(0);
    expect(name(board, 'F')).not.toContain('lands');
  });
});

describe('the last move', () => {
  test('is told by shape: dashed source, full landing, ticks, a notch with the number', () => {
    const from = position([0, 0, 0, 0, 0, 3, 1, 2, 1, 5, 0, 0], [18, 18], 'south');
    const trace = legal(from, 'F');
    const board = mount();
    board.position(after(trace), trace);
    const marks = root(board).querySelector('.marks') as Element;
    expect(marks.querySelectorAll('circle.core[stroke-dasharray]')).toHaveLength(1);
    expect(marks.querySelectorAll('circle.core:not([stroke-dasharray])')).toHaveLength(1);
    expect(marks.querySelectorAll('path.core')).toHaveLength(3);
    expect(marks.querySelectorAll('.wedge')).toHaveLength(3);
    expect([...marks.querySelectorAll('.taken')].map((t) => t.textContent)).toEqual([
      '2',
      '3',
      '2',
    ]);
  });
});

describe('what cannot be played', () => {
  // North has nothing; only moves that reach his houses are legal.
  const starved = position([0, 1, 0, 0, 0, 14, 0, 0, 0, 0, 0, 0], [20, 13], 'south');

  test('is dimmed and says why when it is focused, hovered or tried', () => {
    const board = mount({ playable: 'south', speed: 'off' });
    board.position(starved);
    expect(root(board).querySelectorAll('.seeds .dim')).toHaveLength(1);
    expect(name(board, 'B')).toBe(
      'your house 2, 1 seed, not now: your opponent has no seeds and this move gives none',
    );
    const note = root(board).querySelector('.note') as HTMLElement;
    expect(note.hidden).toBe(true);
    press(board, 'ArrowRight');
    expect(note.textContent).toContain('no seeds');
    press(board, 'ArrowRight');
    expect(note.hidden).toBe(true);
    const refusals = gather(board, 'oware-refuse');
    cell(board, 'B').click();
    expect(refusals).toEqual([{ house: 'B', reason: 'must_feed' }]);
    expect(said(board)).toContain('your opponent has no seeds');
    expect(note.hidden).toBe(false);
  });

  test('a grand slam that captures nothing is explained before and after', async () => {
    const from = position([0, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0, 0], [22, 22], 'south');
    const board = mount({ playable: 'south', speed: 'off' });
    board.position(from);
    expect(name(board, 'F')).toContain('would take everything, so nothing is captured');
    pointer(cell(board, 'F'), 'pointerover');
    const note = root(board).querySelector('.note') as HTMLElement;
    expect(note.textContent).toContain('nothing is captured');
    const trace = legal(from, 'F');
    await board.play(trace, after(trace));
    expect(note.textContent).toContain('nothing is captured');
    expect(said(board)).toContain('nothing is captured');
  });
});

describe('keys', () => {
  test('a whole turn for both sides without a mouse', async () => {
    const board = mount({ playable: 'both', speed: 'fast' });
    const played = host(board);
    board.focusHouse('A');
    press(board, 'ArrowRight');
    press(board, 'ArrowRight');
    expect(root(board).activeElement).toBe(cell(board, 'C'));
    press(board, 'Enter');
    await vi.runAllTimersAsync();
    press(board, '6');
    await vi.runAllTimersAsync();
    press(board, 'd');
    await vi.runAllTimersAsync();
    press(board, 'Home');
    expect(root(board).activeElement).toBe(cell(board, 'A'));
    press(board, 'ArrowUp');
    press(board, 'ArrowRight');
    press(board, ' ');
    await vi.runAllTimersAsync();
    expect(played).toEqual(['C', 'f', 'D', 'e']);
    const tabs = root(board).querySelectorAll('[role="gridcell"][tabindex="0"]');
    expect(tabs).toHaveLength(1);
  });

  test('mean what they should', () => {
    expect(meaningOf(key('3'), true)).toEqual({ kind: 'own', number: 3 });
    expect(meaningOf(key('b'), true)).toEqual({ kind: 'own', number: 2 });
    expect(meaningOf(key('B', true), true)).toEqual({ kind: 'ask', what: 'board' });
    expect(meaningOf(key('b'), false)).toEqual({ kind: 'ask', what: 'board' });
    expect(meaningOf(key('E', true), true)).toEqual({ kind: 'ask', what: 'evaluation' });
    for (const [letter, what] of Object.entries({ s: 'scores', l: 'last', t: 'clocks' })) {
      expect(meaningOf(key(letter), true)).toEqual({ kind: 'ask', what });
    }
    expect(meaningOf(key('m'), true)).toEqual({ kind: 'ask', what: 'moves' });
    expect(meaningOf({ ...key('l'), ctrlKey: true }, true)).toBeNull();
    expect(meaningOf(key('Tab'), true)).toBeNull();
    expect(meaningOf(key('7'), true)).toBeNull();
  });

  test('ask the host, who may answer himself; the board answers what it knows', () => {
    const board = mount({ viewpoint: 'south' });
    board.position(start());
    const asked = gather<{ what: string }>(board, 'oware-ask');
    press(board, 's');
    expect(said(board)).toBe('You 0, opponent 0.');
    press(board, 'B', true);
    expect(said(board)).toBe(
      "Your row 4 4 4 4 4 4; opponent's row 4 4 4 4 4 4; you 0, opponent 0.",
    );
    press(board, 'l');
    expect(said(board)).toBe('No move has been played yet.');
    for (const letter of 'tm') press(board, letter);
    press(board, 'E', true);
    expect(asked.map((ask) => ask.what)).toEqual([
      'scores',
      'board',
      'last',
      'clocks',
      'moves',
      'evaluation',
    ]);
    board.addEventListener('oware-ask', (event) => event.preventDefault());
    board.say('Mine.');
    press(board, 's');
    expect(said(board)).toBe('Mine.');
  });

  test('x spreads the focused house for counting, and closes it', () => {
    const board = mount();
    board.position(start());
    press(board, 'x');
    expect(root(board).querySelectorAll('.spread use')).toHaveLength(4);
    press(board, 'x');
    expect(root(board).querySelectorAll('.spread use')).toHaveLength(0);
  });

  test('show a number that is only shown on request', () => {
    const board = mount({ counts: 'request' });
    board.position(start());
    const texts = () => [...root(board).querySelectorAll('text.count')].map((t) => t.textContent);
    press(board, 'ArrowRight');
    expect(texts().join('')).toBe('4');
    board.config({ counts: 'never' });
    expect(texts().join('')).toBe('');
  });
});

describe('screen readers', () => {
  test('find a grid of two rows of six named cells, in the order in which they are seen', () => {
    const board = mount({ viewpoint: 'north', playable: 'north' });
    board.position(start());
    const grid = root(board).querySelector('[role="grid"]') as Element;
    expect(grid.getAttribute('aria-label')).toBe('Oware board');
    const rows = [...grid.querySelectorAll('[role="row"]')];
    expect(rows.map((row) => row.getAttribute('aria-label'))).toEqual([
      "opponent's row",
      'your row',
    ]);
    const order = rows.map((row) =>
      [...row.querySelectorAll<HTMLElement>('[role="gridcell"]')].map((at) => at.dataset.house),
    );
    expect(order.map((row) => row.join(''))).toEqual(['FEDCBA', 'abcdef']);
    expect(root(board).querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
  });

  test('hear what a house holds and what its move does', () => {
    const from = position([0, 0, 0, 0, 0, 3, 1, 2, 1, 5, 0, 0], [18, 18], 'south');
    const board = mount({ viewpoint: 'south', playable: 'south' });
    board.position(from);
    expect(name(board, 'F')).toBe(
      "your house 6, 3 seeds, can play, lands in opponent's house 3, takes 7",
    );
    expect(name(board, 'A')).toBe('your house 1, 0 seeds');
    expect(name(board, 'd')).toBe("opponent's house 4, 5 seeds");
    expect(cell(board, 'F').getAttribute('aria-disabled')).toBe('false');
    expect(cell(board, 'd').getAttribute('aria-disabled')).toBe('true');
    board.config({ viewpoint: null });
    expect(name(board, 'd')).toBe("North's house 4, 5 seeds");
  });

  test('hear the host’s language, everywhere', () => {
    const board = mount({ playable: 'south' });
    const trace = legal(start(), 'C') as Trace;
    board.position(start());
    board.config({
      labels: {
        board: 'Plateau',
        row: (owner) => `rangée ${owner}`,
        house: (facts) => `case ${facts.number}, ${facts.seeds} graines`,
        reason: (reason) => reason,
        grandSlam: (outcome) => outcome,
        move: (facts) => `Coup ${facts.from.number}.`,
        summary: () => 'Résumé.',
        scores: (scores) => scores.map((s) => s.seeds).join(' à '),
        noMove: 'Rien.',
        mini: () => 'Petit plateau',
      },
    });
    expect(name(board, 'C')).toBe('case 3, 4 graines');
    void board.play(trace, after(trace));
    expect(said(board)).toBe('Coup 3.');
    const texts = root(board).querySelector('.frame')?.textContent ?? '';
    expect(texts).not.toMatch(/house|seed|your|opponent/);
  });
});
