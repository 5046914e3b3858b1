// The element on a page: layouts, flip, themes, coming and going.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BoardConfig } from '../index';
import { gather, mount, name, numbers, places, pointer, root } from './helper';
import { cell } from './helper';
import { after, legal, line, start } from './sow';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

const frame = (board: HTMLElement) => board.shadowRoot?.querySelector('.frame') as HTMLElement;

describe('layout', () => {
  test('follows the width of the element, and can be fixed', async () => {
    const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(360);
    let notify: () => void = () => undefined;
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(callback: () => void) {
          notify = callback;
        }
        observe() {
          return undefined;
        }
        disconnect() {
          return undefined;
        }
      },
    );
    const board = mount();
    board.position(start());
    expect(frame(board).dataset.layout).toBe('vertical');
    width.mockReturnValue(900);
    notify();
    await vi.advanceTimersByTimeAsync(50);
    expect(frame(board).dataset.layout).toBe('horizontal');
    expect(board.counts().houses).toEqual(start().houses);
    board.config({ layout: 'vertical' });
    expect(frame(board).dataset.layout).toBe('vertical');
  });

  test('keeps one shape per layout, whatever is shown', () => {
    const board = mount();
    const ratio = () => frame(board).style.getPropertyValue('--ratio');
    board.position(start());
    const before = ratio();
    const { trace, after: at } = line('EaDfAaBcDbBf');
    board.position(at, trace);
    board.config({ counts: 'never', marks: [{ house: 'A', kind: 'hint' }], seeds: 'cowries' });
    expect(ratio()).toBe(before);
    board.config({ layout: 'vertical' });
    expect(Number(ratio())).toBeLessThan(1);
  });
});

describe('the viewpoint', () => {
  test('turns the board; names and numbers stay with their houses', () => {
    const board = mount({ viewpoint: 'south' });
    const { after: at } = line('EaDfAaBcDbBf');
    board.position(at);
    const before = numbers(board);
    const lying = places(board);
    board.config({ viewpoint: 'north' });
    expect(numbers(board)).toEqual(before);
    expect(places(board)).not.toEqual(lying);
    expect(name(board, 'a')).toMatch(/^your house 1/);
    board.config({ viewpoint: 'south' });
    expect(places(board)).toEqual(lying);
  });

  test('for two across a table the texts of the far side are turned', () => {
    const turned = (config: Partial<BoardConfig>) => {
      const board = mount(config);
      board.position(start());
      return [...root(board).querySelectorAll('.labels text')].filter((text) =>
        text.getAttribute('transform')?.startsWith('rotate(180'),
      ).length;
    };
    expect(turned({})).toBe(0);
    // Six names, six numbers, one store.
    expect(turned({ facing: true })).toBe(13);
    expect(turned({ facing: true, layout: 'vertical', viewpoint: 'north' })).toBe(13);
  });
});

describe('themes', () => {
  test('every board with every seed is drawn whole, without a style in its text', () => {
    const { trace, after: at } = line('EaDfAaBcDbBfCdDfFd');
    const board = mount();
    board.position(at, trace);
    for (const layout of ['horizontal', 'vertical'] as const) {
      for (const theme of ['wood', 'wood-dark', 'folding', 'ground', 'contrast'] as const) {
        for (const seeds of ['nickernuts', 'marbles', 'cowries', 'pebbles', 'flat'] as const) {
          board.config({ layout, theme, seeds });
          const art = root(board).querySelector('svg') as SVGSVGElement;
          expect(art.outerHTML).not.toMatch(/NaN|undefined|style="|<style|<filter|<image|data:/);
          const ids = [...art.querySelectorAll('[id]')].map((node) => node.id);
          expect(new Set(ids).size).toBe(ids.length);
          const used = art.outerHTML.match(/(?:url\(#|href="#)ow-[a-z0-9-]+/g) ?? [];
          for (const use of new Set(used.map((text) => text.replace(/.*#/, '')))) {
            expect(ids).toContain(use);
          }
          expect(board.counts().houses).toEqual(at.houses);
        }
      }
    }
  });
});

describe('coming and going', () => {
  test('a board can be set before it is on the page, and taken off and put back', async () => {
    const board = document.createElement('oware-board');
    board.config({ theme: 'ground', playable: 'south' });
    board.position(start());
    const trace = legal(start(), 'C');
    await board.play(trace, after(trace));
    document.body.append(board);
    expect(numbers(board).slice(0, 6)).toEqual(['4', '4', '0', '5', '5', '5']);
    board.remove();
    document.body.append(board);
    board.position(start());
    const moves = gather(board, 'oware-move');
    cell(board, 'A').click();
    expect(moves).toHaveLength(1);
  });

  test('a board off the page listens to nothing', () => {
    const board = mount({ playable: 'south' });
    board.position(start());
    const moves = gather(board, 'oware-move');
    board.remove();
    cell(board, 'A').click();
    pointer(cell(board, 'A'), 'pointerover');
    expect(moves).toEqual([]);
    expect(root(board).querySelectorAll('.preview text')).toHaveLength(0);
  });

  test('events leave the shadow tree and bubble', () => {
    const board = mount({ playable: 'south' });
    board.position(start());
    const heard: string[] = [];
    document.body.addEventListener('oware-move', (event) => heard.push(event.type), { once: true });
    cell(board, 'A').click();
    expect(heard).toEqual(['oware-move']);
  });
});

describe('keys from elsewhere on the page', () => {
  test('reach the board through key()', () => {
    const board = mount({ playable: 'north', viewpoint: 'north' });
    const { after: at } = line('C');
    board.position(at);
    const moves = gather<{ house: string }>(board, 'oware-move');
    expect(board.key(new KeyboardEvent('keydown', { key: '2' }))).toBe(true);
    expect(board.key(new KeyboardEvent('keydown', { key: 'q' }))).toBe(false);
    expect(moves).toEqual([{ house: 'b' }]);
  });
});
