// The board: import this once, and `<oware-board>` and `<oware-mini>` are there.

import { OwareBoard } from './src/element';
import { OwareMini } from './src/mini';
import type { BoardEvents } from './src/page';

export { DEFAULTS, mergeConfig } from './src/config';
export type { BoardConfig } from './src/config';
export { OwareBoard } from './src/element';
export { chooseLayout, geometry, neighbour } from './src/geometry';
export type { Geometry } from './src/geometry';
export * from './src/houses';
export { meaningOf } from './src/input';
export { ENGLISH } from './src/labels';
export type {
  BoardFacts,
  BoardLabels,
  HouseFacts,
  MoveFacts,
  Owner,
  PlaceFacts,
  ScoreFacts,
} from './src/labels';
export { OwareMini } from './src/mini';
export type { BoardEvents } from './src/page';
export { countsAfter, effectOf } from './src/preview';
export type { Effect } from './src/preview';
export { houseSlot, spreadSlots, storeSlots } from './src/slots';
export { timeline } from './src/timeline';
export type * from './src/types';

/** The same, for listeners: `board.addEventListener('oware-move', (event) => event.detail.house)`. */
type Events = { [K in keyof BoardEvents]: CustomEvent<BoardEvents[K]> };

declare global {
  interface HTMLElementEventMap extends Events {}
  interface HTMLElementTagNameMap {
    'oware-board': OwareBoard;
    'oware-mini': OwareMini;
  }
}

if (!customElements.get('oware-board')) customElements.define('oware-board', OwareBoard);
if (!customElements.get('oware-mini')) customElements.define('oware-mini', OwareMini);
