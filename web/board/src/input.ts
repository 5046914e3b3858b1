// Hands: mouse, finger and keys, turned into what a person wants. Nothing here knows what is
// allowed; the element decides.

import { neighbour } from './geometry';
import type { Direction, Geometry } from './geometry';
import type { Grid } from './grid';
import { opponentOf, ownHouse } from './houses';
import type { AskWhat, House, Side } from './types';

/** How long a finger rests on a house until it is taken as a question, in milliseconds. */
export const HOLD_MS = 350;
/** The same for a mouse, which has shown the preview already: slow clicks are clicks. */
export const MOUSE_HOLD_MS = 600;
/** And until a house whose move is being previewed is spread for counting. */
export const LONG_HOLD_MS = 900;

/** What the element does for a person. */
export interface Wishes {
  /** Any touch or key, before what it means: ends what is in motion. */
  touched(): void;
  activate(house: House): void;
  cancel(): void;
  /** Shows what a move would do; null ends that. */
  hover(house: House | null): void;
  /** A house is focused by keys. */
  focus(house: House | null): void;
  spread(house: House | null): void;
  ask(what: AskWhat): void;
  /** Whether the house's move can be previewed. */
  previews(house: House): boolean;
  /** Whose houses the keys 1-6 are; null where that is nobody's. */
  own(): Side | null;
  geometry(): Geometry | null;
  letterKeys(): boolean;
}

const ARROWS: Record<string, Direction> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

const QUESTIONS: Record<string, AskWhat> = {
  b: 'board',
  s: 'scores',
  l: 'last',
  t: 'clocks',
  m: 'moves',
  e: 'evaluation',
};

/** What a key means. */
export type KeyMeaning =
  | { kind: 'move'; direction: Direction }
  | { kind: 'row'; end: 'first' | 'last' }
  | { kind: 'own'; number: number }
  | { kind: 'ask'; what: AskWhat }
  | { kind: 'play' | 'cancel' | 'spread' };

interface Key {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

/**
 * Reads a key. Where the letters a-f play houses, b and e ask with Shift; Shift and a letter
 * always asks, and the letters that are no houses do so without it.
 */
export function meaningOf(event: Key, letterKeys: boolean): KeyMeaning | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const { key } = event;
  const direction = ARROWS[key];
  if (direction) return { kind: 'move', direction };
  if (key === 'Home') return { kind: 'row', end: 'first' };
  if (key === 'End') return { kind: 'row', end: 'last' };
  if (key === 'Enter' || key === ' ') return { kind: 'play' };
  if (key === 'Escape') return { kind: 'cancel' };
  if (/^[1-6]$/.test(key)) return { kind: 'own', number: Number(key) };
  const letter = key.toLowerCase();
  if (letter === 'x') return { kind: 'spread' };
  if (letterKeys && !event.shiftKey && /^[a-f]$/.test(letter)) {
    return { kind: 'own', number: letter.charCodeAt(0) - 96 };
  }
  const what = QUESTIONS[letter];
  return what ? { kind: 'ask', what } : null;
}

/** Does what a key means. Returns whether it meant anything. */
export function pressKey(event: KeyboardEvent, grid: Grid, wishes: Wishes): boolean {
  const meaning = meaningOf(event, wishes.letterKeys());
  const geometry = wishes.geometry();
  if (!meaning || !geometry) return false;
  const near = opponentOf(geometry.far);
  const go = (house: House) => {
    grid.setFocus(house, true);
    wishes.focus(house);
  };
  switch (meaning.kind) {
    case 'move':
      go(neighbour(grid.focus, meaning.direction, geometry.layout, near));
      break;
    case 'row': {
      const side = grid.focus <= 'F' ? 'south' : 'north';
      go(ownHouse(side, (meaning.end === 'first') === (side === near) ? 1 : 6));
      break;
    }
    case 'own': {
      const side = wishes.own();
      if (!side || event.repeat) break;
      const house = ownHouse(side, meaning.number);
      wishes.touched();
      go(house);
      wishes.activate(house);
      break;
    }
    case 'play':
      // A key held down must not play twice.
      if (event.repeat) break;
      wishes.touched();
      wishes.activate(grid.focus);
      break;
    case 'cancel':
      wishes.touched();
      wishes.cancel();
      break;
    case 'spread':
      wishes.spread(grid.focus);
      break;
    case 'ask':
      wishes.ask(meaning.what);
      break;
  }
  return true;
}

/** Listens to a grid. Returns what ends that. */
export function listen(grid: Grid, wishes: Wishes): () => void {
  const ends = new AbortController();
  const { signal } = ends;
  const { root } = grid;
  let hold: ReturnType<typeof setTimeout> | undefined;
  let held = false;
  let byKeys = false;

  const release = () => {
    clearTimeout(hold);
    hold = undefined;
  };
  const endHold = () => {
    release();
    if (held) {
      wishes.spread(null);
      wishes.hover(null);
    }
  };

  root.addEventListener(
    'pointerdown',
    (event) => {
      byKeys = false;
      held = false;
      wishes.touched();
      const house = grid.houseOf(event.target);
      if (!house || (event.pointerType === 'mouse' && event.button !== 0)) return;
      release();
      const touch = event.pointerType !== 'mouse';
      const patience = touch ? HOLD_MS : MOUSE_HOLD_MS;
      hold = setTimeout(() => {
        held = true;
        if (touch && wishes.previews(house)) {
          wishes.hover(house);
          hold = setTimeout(() => wishes.spread(house), LONG_HOLD_MS - HOLD_MS);
        } else {
          wishes.spread(house);
        }
      }, patience);
    },
    { signal },
  );
  // A finger that starts to move the page asks nothing.
  for (const kind of ['pointerup', 'pointercancel'] as const) {
    root.addEventListener(kind, endHold, { signal });
  }
  const point = (event: PointerEvent) => {
    if (event.pointerType !== 'touch') wishes.hover(grid.houseOf(event.target));
  };
  root.addEventListener('pointerover', point, { signal });
  root.addEventListener(
    'pointermove',
    // Browsers make moves of nowhere when what lies under a pointer changes.
    (event) => (event.movementX !== 0 || event.movementY !== 0) && point(event),
    { signal },
  );
  root.addEventListener(
    'pointerleave',
    (event) => {
      endHold();
      if (event.pointerType !== 'touch') wishes.hover(null);
    },
    { signal },
  );
  // A long press on some systems opens a menu over the board.
  root.addEventListener('contextmenu', (event) => held && event.preventDefault(), { signal });
  // A click, because assistive technology makes clicks and nothing else.
  root.addEventListener(
    'click',
    (event) => {
      const house = grid.houseOf(event.target);
      if (held) {
        held = false;
        return;
      }
      if (!house) return;
      wishes.touched();
      grid.setFocus(house, false);
      wishes.activate(house);
    },
    { signal },
  );
  root.addEventListener(
    'keydown',
    (event) => {
      byKeys = true;
      if (pressKey(event, grid, wishes)) event.preventDefault();
    },
    { signal },
  );
  root.addEventListener(
    'focusin',
    (event) => {
      const house = grid.houseOf(event.target);
      if (!house) return;
      grid.setFocus(house, false);
      // A pointer focuses too; it has said by hovering what it wants to see.
      const cell = grid.cell(house);
      if (byKeys || cell.matches(':focus-visible')) wishes.focus(house);
    },
    { signal },
  );
  root.addEventListener(
    'focusout',
    (event) => {
      if (grid.houseOf(event.relatedTarget)) return;
      wishes.focus(null);
      wishes.spread(null);
    },
    { signal },
  );
  return () => {
    release();
    ends.abort();
  };
}
