// The board for fingers, keys and screen readers: a grid of two rows of six cells above the
// drawing, and the one place where moves are told.

import type { BoardConfig } from './config';
import { houseFacts, ownerOf, scoreFacts } from './facts';
import type { Geometry } from './geometry';
import { HOUSES, indexOf, opponentOf, ownHouse, sideOf } from './houses';
import type { BoardPosition, Counts, House, Side } from './types';

function div(className: string, role?: string): HTMLDivElement {
  const element = document.createElement('div');
  element.className = className;
  if (role) element.setAttribute('role', role);
  return element;
}

/** Sets an attribute where it differs: screen readers are told of every change. */
function set(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function percent(part: number, whole: number): string {
  return `${(100 * part) / whole}%`;
}

export class Grid {
  readonly root = div('grid', 'grid');
  /** Said politely; holds one sentence. */
  readonly live = div('sr');
  /** A sentence for the eye, beside the house it is about. */
  readonly note = div('note');
  private readonly cells: HTMLDivElement[];
  private readonly rows: Record<Side, HTMLDivElement>;
  private readonly stores = div('sr');
  private focused: House = 'A';

  constructor() {
    this.cells = HOUSES.map((house) => {
      const cell = div('cell', 'gridcell');
      cell.dataset.house = house;
      cell.setAttribute('part', 'cell');
      return cell;
    });
    this.root.setAttribute('aria-rowcount', '2');
    this.root.setAttribute('aria-colcount', '6');
    this.rows = { south: div('row', 'row'), north: div('row', 'row') };
    this.live.setAttribute('aria-live', 'polite');
    this.live.setAttribute('aria-atomic', 'true');
    this.note.setAttribute('aria-hidden', 'true');
  }

  /** All elements, in the order in which they belong on the page. */
  elements(): HTMLElement[] {
    return [this.root, this.stores, this.note, this.live];
  }

  cell(house: House): HTMLDivElement {
    return this.cells[indexOf(house)] as HTMLDivElement;
  }

  /** The house of the cell that an event happened in. */
  houseOf(target: EventTarget | null): House | null {
    const cell = target instanceof HTMLElement ? target.closest<HTMLElement>('.cell') : null;
    const house = cell?.dataset.house;
    return house ? (house as House) : null;
  }

  get focus(): House {
    return this.focused;
  }

  /** Makes a house the one that the Tab key leads to, and focuses it if asked to. */
  setFocus(house: House, take: boolean): void {
    this.focused = house;
    this.cells.forEach((cell, at) => {
      cell.tabIndex = HOUSES[at] === house ? 0 : -1;
    });
    if (take) this.cell(house).focus();
  }

  /** Lays the cells over the drawing, in the order in which they are seen. */
  layOut(geometry: Geometry): void {
    const near = opponentOf(geometry.far);
    for (const side of [geometry.far, near] as const) {
      const numbers = [1, 2, 3, 4, 5, 6];
      if (side === geometry.far) numbers.reverse();
      const cells = numbers.map((number, at) => {
        const cell = this.cell(ownHouse(side, number));
        cell.setAttribute('aria-colindex', String(at + 1));
        return cell;
      });
      this.rows[side].replaceChildren(...cells);
    }
    this.root.replaceChildren(this.rows[geometry.far], this.rows[near]);
    geometry.houses.forEach(({ hit }, at) => {
      const style = (this.cells[at] as HTMLDivElement).style;
      style.left = percent(hit.x, geometry.width);
      style.top = percent(hit.y, geometry.height);
      style.width = percent(hit.width, geometry.width);
      style.height = percent(hit.height, geometry.height);
    });
    this.setFocus(this.focused, false);
  }

  /** Names every cell. */
  name(
    position: BoardPosition | null,
    config: BoardConfig,
    counts: Counts,
    chosen: House | null,
    locked: boolean,
  ): void {
    const { labels, viewpoint } = config;
    set(this.root, 'aria-label', labels.board);
    for (const side of ['south', 'north'] as const) {
      set(this.rows[side], 'aria-label', labels.row(ownerOf(side, viewpoint)));
    }
    HOUSES.forEach((house) => {
      const cell = this.cell(house);
      const facts = houseFacts(house, position, config, chosen);
      set(cell, 'aria-label', labels.house(facts));
      set(cell, 'aria-disabled', String(!facts.playable));
      // Only where houses are chosen first; elsewhere it would be said of each that it is not.
      if (config.input === 'confirm') set(cell, 'aria-selected', String(facts.chosen));
      else cell.removeAttribute('aria-selected');
      cell.classList.toggle('playable', facts.playable && !locked);
    });
    const scores = labels.scores(scoreFacts(counts, viewpoint));
    if (this.stores.textContent !== scores) this.stores.textContent = scores;
  }

  /** Says one sentence. A node of its own each time, so that an equal sentence is said again. */
  say(sentence: string): void {
    this.live.replaceChildren(document.createTextNode(sentence));
  }

  /** Shows a sentence beside a house; none hides it. */
  tell(sentence: string, house: House | null, geometry: Geometry | null, facing: boolean): void {
    const place = house && geometry ? geometry.houses[indexOf(house)] : undefined;
    this.note.textContent = place ? sentence : '';
    this.note.hidden = !place || sentence === '';
    if (!place || !geometry || !house) return;
    const far = sideOf(house) === geometry.far;
    const tall = geometry.layout === 'vertical';
    // Beside the pit and towards the middle, where it covers neither the house nor its number.
    const x = tall ? geometry.width / 2 : place.x;
    const y = tall ? place.y + (place.y > geometry.height / 2 ? -52 : 52) : geometry.height / 2;
    this.note.style.top = percent(y, geometry.height);
    this.note.style.setProperty('--at', percent(x, geometry.width));
    this.note.classList.toggle('turned', facing && far);
    this.note.classList.toggle('end', x > geometry.width * 0.6);
    this.note.classList.toggle('start', x < geometry.width * 0.4);
  }
}
