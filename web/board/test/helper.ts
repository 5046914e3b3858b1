// A board on a page, for tests.

import { vi } from 'vitest';
import '../index';
import type { BoardConfig, OwareBoard } from '../index';

// A slow machine is no fault of the board's.
vi.setConfig({ testTimeout: 30_000 });

/** Puts a board on the page. */
export function mount(config: Partial<BoardConfig> = {}): OwareBoard {
  const board = document.createElement('oware-board');
  document.body.replaceChildren(board);
  board.config(config);
  return board;
}

export function root(board: OwareBoard): ShadowRoot {
  return board.shadowRoot as ShadowRoot;
}

export function cell(board: OwareBoard, house: string): HTMLElement {
  const cells = [...root(board).querySelectorAll<HTMLElement>('[data-house]')];
  return cells.find((at) => at.dataset.house === house) as HTMLElement;
}

export function name(board: OwareBoard, house: string): string {
  return cell(board, house).getAttribute('aria-label') ?? '';
}

/** What the live region says. */
export function said(board: OwareBoard): string {
  return root(board).querySelector('[aria-live]')?.textContent ?? '';
}

/** The numbers on the board: houses A..F, a..f, then the stores. */
export function numbers(board: OwareBoard): string[] {
  const read = (kind: string) =>
    [...root(board).querySelectorAll(`text.${kind}`)].map((text) => text.textContent ?? '');
  return [...read('count'), ...read('score')];
}

/** Where every seed lies, as text. */
export function places(board: OwareBoard): string[] {
  return [...root(board).querySelectorAll('.seeds use')].map(
    (seed) => seed.getAttribute('transform') ?? '',
  );
}

/** Gathers the details of a board's events. */
export function gather<T>(board: OwareBoard, type: string): T[] {
  const found: T[] = [];
  board.addEventListener(type, (event) => found.push((event as CustomEvent<T>).detail));
  return found;
}

/** Presses a key where the focus is, or on a house. */
export function press(board: OwareBoard, key: string, shiftKey = false): void {
  const at = root(board).activeElement ?? root(board).querySelector('[tabindex="0"]');
  at?.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, composed: true }));
}

/** A finger or mouse event; the test page has no PointerEvent of its own. */
export function pointer(target: Element, type: string, pointerType = 'mouse'): void {
  const event = new MouseEvent(type, { bubbles: true, composed: true, button: 0 });
  Object.defineProperty(event, 'pointerType', { value: pointerType });
  target.dispatchEvent(event);
}
