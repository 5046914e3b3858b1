// What the board asks of the page around it and tells it.

import type { AskWhat, Counts, ForbiddenReason, House } from './types';

/** Events of the board and what they carry. */
export interface BoardEvents {
  'oware-move': { house: House };
  'oware-choose': { house: House | null };
  'oware-preview': { house: House | null };
  'oware-refuse': { house: House; reason: ForbiddenReason };
  'oware-ask': { what: AskWhat };
  'oware-drift': { shown: Counts; expected: Counts };
}

/** Tells the page something. Returns false if somebody there prevented what would follow. */
export function emit<T extends keyof BoardEvents>(
  board: HTMLElement,
  type: T,
  detail: BoardEvents[T],
): boolean {
  const options = { detail, bubbles: true, composed: true, cancelable: true };
  return board.dispatchEvent(new CustomEvent(type, options));
}

/** Whether nothing should move: nobody looks, or somebody does not want to see it. */
export function isStill(board: HTMLElement): boolean {
  const reduced =
    typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;
  return reduced || document.hidden || !board.isConnected;
}

/** How high the page lets the board be, in CSS pixels; Infinity where it does not say. */
export function heightLimit(board: HTMLElement): number {
  const limit = parseFloat(getComputedStyle(board).maxHeight);
  return Number.isFinite(limit) ? limit : Infinity;
}
