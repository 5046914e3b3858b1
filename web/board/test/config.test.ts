// What a host may set, and what it may not.

import { describe, expect, test } from 'vitest';
import { DEFAULTS, ENGLISH, mergeConfig } from '../index';
import type { BoardConfig, BoardPosition } from '../index';
import { mount, name, numbers } from './helper';
import { start } from './sow';

const bad = (partial: object) => () => mergeConfig(DEFAULTS, partial as Partial<BoardConfig>);

describe('configuration', () => {
  test('a part is laid over the rest', () => {
    const one = mergeConfig(DEFAULTS, { theme: 'ground', viewpoint: null });
    const two = mergeConfig(one, { speed: 'slow', theme: undefined as never });
    expect(two).toMatchObject({ theme: 'ground', viewpoint: null, speed: 'slow', preview: true });
    expect(DEFAULTS.theme).toBe('wood');
  });

  test('a bad part is refused by name', () => {
    expect(bad({ theme: 'gold' })).toThrow(/config\.theme: expected wood, .*got "gold"/);
    expect(bad({ speed: 3 })).toThrow(/config\.speed/);
    expect(bad({ preview: 'yes' })).toThrow(/config\.preview: expected true or false/);
    expect(bad({ volume: 2 })).toThrow(/config\.volume/);
    expect(bad({ volume: NaN })).toThrow(/config\.volume/);
    expect(bad({ countsAbove: 49 })).toThrow(/config\.countsAbove/);
    expect(bad({ marks: [{ house: 'g', kind: 'hint' }] })).toThrow(/config\.marks\[0\]\.house/);
    expect(bad({ marks: [{ house: 'a', kind: 'arrow' }] })).toThrow(/config\.marks\[0\]\.to/);
    expect(bad({ colour: 'red' })).toThrow(/config\.colour: expected no such field/);
  });

  test('and changes nothing on the board', () => {
    const board = mount({ theme: 'ground' });
    expect(() => board.config({ speed: 'slow', theme: 'gold' as never })).toThrow();
    expect(board.settled).toMatchObject({ theme: 'ground', speed: 'normal' });
  });

  test('words that a host leaves out stay English', () => {
    const labels = { ...ENGLISH, board: 'Plateau' };
    const merged = mergeConfig(DEFAULTS, { labels: { board: 'Plateau' } as typeof ENGLISH });
    expect(merged.labels.board).toBe(labels.board);
    expect(merged.labels.noMove).toBe(ENGLISH.noMove);
  });
});

describe('positions', () => {
  test('that are none are refused by name, and the board stays as it is', () => {
    const board = mount();
    board.position(start());
    const broken = (change: Partial<BoardPosition>) => () =>
      board.position({ ...start(), ...change });
    expect(broken({ houses: [4, 4] })).toThrow(/position\.houses: expected 12 numbers/);
    expect(broken({ houses: [...start().houses.slice(0, 11), -1] })).toThrow(/houses\[11\]/);
    expect(broken({ stores: [1.5, 0] })).toThrow(/position\.stores\[0\]/);
    expect(broken({ to_move: 'east' as never })).toThrow(/position\.to_move/);
    expect(broken({ legal: [{ house: 'x' } as never] })).toThrow(/position\.legal\[0\]\.house/);
    expect(board.counts()).toEqual({ houses: start().houses, stores: [0, 0] });
  });
});

describe('counts', () => {
  const houses = [0, 1, 5, 6, 7, 12, 0, 0, 0, 3, 2, 1];
  const at = { ...start(), houses, stores: [5, 6] as [number, number], legal: [], forbidden: [] };
  const shown = (config: Partial<BoardConfig>) => {
    const board = mount(config);
    board.position(at);
    return numbers(board);
  };

  test('always, above a number, on request, never; stores always', () => {
    expect(shown({})).toEqual([...houses.map(String), '5', '6']);
    expect(shown({ counts: 'above' }).slice(0, 6)).toEqual(['', '', '', '', '7', '12']);
    expect(shown({ counts: 'above', countsAbove: 11 }).slice(0, 6).join()).toBe(',,,,,12');
    expect(shown({ counts: 'request' })).toEqual([...houses.map(() => ''), '5', '6']);
    expect(shown({ counts: 'never' })).toEqual([...houses.map(() => ''), '5', '6']);
  });

  test('numbers only is no way round hidden counts', () => {
    expect(shown({ theme: 'numbers' }).slice(0, 6)).toEqual(houses.slice(0, 6).map(String));
    const board = mount({ theme: 'numbers', counts: 'never' });
    board.position(at);
    expect(numbers(board).slice(0, 12).join('')).toBe('');
    expect(board.shadowRoot?.querySelector('.frame')?.getAttribute('data-theme')).toBe('contrast');
    expect(name(board, 'F')).toContain('12 seeds');
  });
});
