// The drawing: a fixed set of layers, each written anew only when what it shows has changed.

import { drawnTheme, showsCount } from './config';
import type { BoardConfig } from './config';
import type { Geometry } from './geometry';
import { HOUSES, indexOf, numberOf, sideOf } from './houses';
import { chosenMark, hostMarks, lastMarks, originMark, previewMarks, previewStores } from './marks';
import { effectOf } from './preview';
import { Scene } from './scene';
import { spreadSlots } from './slots';
import { n, roundRect, svg, translate } from './svg';
import { BOARDS, SEEDS } from './themes';
import type { Counts, House, Trace } from './types';

/** What the layers above the seeds show. */
export interface Signs {
  last: Trace | null;
  /** The move under way, whose further marks come when it has ended. */
  moving: House | null;
  preview: Trace | null;
  chosen: House | null;
  /** Own houses that cannot be played. */
  dimmed: House[];
  spread: House | null;
}

export class View {
  readonly root = svg('svg', { class: 'drawing', 'aria-hidden': 'true', focusable: 'false' });
  readonly scene = new Scene();
  geometry: Geometry | null = null;
  private readonly defs = svg('defs');
  private readonly body = svg('g');
  private readonly labels = svg('g', { class: 'labels' });
  private readonly marks = svg('g', { class: 'marks' });
  private readonly preview = svg('g', { class: 'preview' });
  private readonly spread = svg('g', { class: 'spread' });
  private readonly tally = svg('text', {
    class: 'tally',
    'text-anchor': 'middle',
    'dominant-baseline': 'central',
  });
  private counts: SVGTextElement[] = [];
  private scores: SVGTextElement[] = [];
  private written = new Map<SVGElement, string>();

  constructor() {
    const { scene } = this;
    this.root.append(this.defs, this.body, scene.seeds, this.labels, this.marks, this.preview);
    this.root.append(scene.hand, this.tally, this.spread);
  }

  /** Draws the board for a layout; seeds glide to their new places for `ms` milliseconds. */
  layOut(geometry: Geometry, config: BoardConfig, ms: number): void {
    this.geometry = geometry;
    const theme = drawnTheme(config);
    const board = BOARDS[theme];
    this.root.setAttribute('viewBox', `0 0 ${geometry.width} ${geometry.height}`);
    this.write(this.defs, board.defs(geometry) + SEEDS[config.seeds].defs());
    this.write(this.body, board.body(geometry));
    this.scene.layOut(geometry, ms);
    this.writeLabels(geometry, config, theme === 'numbers');
  }

  private write(layer: SVGElement, art: string): void {
    if (this.written.get(layer) === art) return;
    this.written.set(layer, art);
    layer.innerHTML = art;
  }

  private writeLabels(geometry: Geometry, config: BoardConfig, numbersOnly: boolean): void {
    const label = (x: number, y: number, kind: string, size: number, turned: boolean) =>
      svg('text', {
        x: n(x),
        y: n(y),
        class: kind,
        'font-size': size,
        'text-anchor': 'middle',
        'dominant-baseline': 'central',
        ...(turned ? { transform: `rotate(180 ${n(x)} ${n(y)})` } : {}),
      });
    const tall = geometry.layout === 'vertical';
    this.labels.replaceChildren();
    this.counts = HOUSES.map((house, index) => {
      const place = geometry.houses[index];
      const turned = config.facing && sideOf(house) === geometry.far;
      if (!place) return svg('text');
      const at = numbersOnly ? place.count : place.name;
      const name = label(at.x, at.y, 'name', numbersOnly ? 20 : 15, turned);
      if (config.names !== 'none') {
        name.textContent = config.names === 'letters' ? house : String(numberOf(house));
      }
      const count = numbersOnly
        ? label(place.x, place.y, 'count', 46, turned)
        : label(place.count.x, place.count.y, 'count', tall ? 22 : 25, turned);
      this.labels.append(name, count);
      return count;
    });
    this.scores = geometry.stores.map((store, at) => {
      const turned = config.facing && (at === 0 ? 'south' : 'north') === geometry.far;
      const { x, y, width, height } = store.rect;
      const score = numbersOnly
        ? label(x + width / 2, y + height / 2, 'score', 42, turned)
        : label(store.count.x, store.count.y, 'score', 32, turned);
      this.labels.append(score);
      return score;
    });
  }

  /** Writes the numbers. `asked` is a house whose number has been asked for. */
  writeCounts(counts: Counts, config: BoardConfig, asked: House | null): void {
    this.counts.forEach((label, at) => {
      const seeds = counts.houses[at] ?? 0;
      const wanted = config.counts === 'never' ? false : at === (asked ? indexOf(asked) : -1);
      const text = wanted || showsCount(config, seeds) ? String(seeds) : '';
      if (label.textContent !== text) label.textContent = text;
    });
    this.scores.forEach((label, at) => {
      const text = String(counts.stores[at as 0 | 1]);
      if (label.textContent !== text) label.textContent = text;
    });
  }

  /** Draws all signs. */
  show(signs: Signs, config: BoardConfig, counts: Counts): void {
    const { geometry } = this;
    if (!geometry) return;
    let marks = '';
    if (signs.moving) marks += originMark(geometry, indexOf(signs.moving));
    else if (signs.last) marks += lastMarks(geometry, effectOf(signs.last), config.facing);
    marks += hostMarks(geometry, config.marks);
    this.write(this.marks, marks);
    this.root.classList.toggle('previewing', signs.preview !== null);
    // What is chosen stands with the preview: the marks of the last move step back behind both.
    let preview = signs.chosen ? chosenMark(geometry, signs.chosen) : '';
    if (signs.preview) {
      const effect = effectOf(signs.preview);
      preview +=
        previewMarks(geometry, effect, config.facing) +
        previewStores(geometry, effect, counts.stores, config.facing);
    }
    this.write(this.preview, preview);
    this.dim(signs);
    this.spreadOut(signs.spread, config, counts);
  }

  private dim(signs: Signs): void {
    const lifted = signs.preview ? indexOf(signs.preview.house) : -1;
    HOUSES.forEach((house, at) => {
      const dimmed = signs.dimmed.includes(house);
      for (const node of this.scene.nodes(at)) {
        node.classList.toggle('dim', dimmed);
        node.classList.toggle('ghost', at === lifted);
      }
      this.counts[at]?.classList.toggle('dim', dimmed);
    });
  }

  /** Lays a house's seeds side by side above the board, for counting. */
  private spreadOut(house: House | null, config: BoardConfig, counts: Counts): void {
    const { geometry } = this;
    if (!house || !geometry) {
      this.write(this.spread, '');
      return;
    }
    const at = indexOf(house);
    const seeds = counts.houses[at] ?? 0;
    const { points, box } = spreadSlots(seeds, geometry.seed);
    const place = geometry.houses[at];
    // Beside the house, not on it: a finger is there.
    const up = place && place.y - 104 - box.height / 2 > 0 ? -104 : 104;
    const held = (middle: number, half: number, size: number) =>
      Math.min(Math.max(middle, half + 6), size - half - 6);
    const x = held(place?.x ?? 0, box.width / 2, geometry.width);
    const y = held((place?.y ?? 0) + up, box.height / 2, geometry.height);
    const shown = this.scene.nodes(at).map((node) => node.getAttribute('href') ?? '');
    const turned = config.facing && sideOf(house) === geometry.far;
    const art = points.map((point, i) => {
      return `<use href="${shown[i] ?? '#ow-seed-0'}" transform="${translate(point.x, point.y)}"/>`;
    });
    this.write(
      this.spread,
      `<g transform="${translate(x, y)}${turned ? ' rotate(180)' : ''}">` +
        `${roundRect(box, 14, 0, 'class="tray"')}${art.join('')}</g>`,
    );
  }

  /** A captured house lights up, and the store that gets its seeds answers. */
  flash(house: House, store: 0 | 1): void {
    const place = this.geometry?.houses[indexOf(house)];
    if (!place || typeof this.root.animate !== 'function') return;
    const ring = svg('circle', { cx: n(place.x), cy: n(place.y), r: place.r, class: 'flash' });
    this.marks.before(ring);
    ring.animate({ opacity: [0.9, 0] }, 480).onfinish = () => ring.remove();
    this.scores[store]?.animate({ fontSize: ['42px', '32px'] }, { duration: 260, delay: 200 });
  }

  /** A number that is counted aloud over the house it belongs to; null for none. */
  writeTally(house: House | null, count: number, facing: boolean): void {
    const place = house ? this.geometry?.houses[indexOf(house)] : undefined;
    this.tally.textContent = place ? String(count) : '';
    if (!place || !house) return;
    // Towards the middle of the board, where no number is covered.
    const [x, y] = [n(place.x - 34 * place.out.x), n(place.y - 34 * place.out.y)];
    this.tally.setAttribute('x', x);
    this.tally.setAttribute('y', y);
    const turned = facing && sideOf(house) === this.geometry?.far;
    this.tally.setAttribute('transform', turned ? `rotate(180 ${x} ${y})` : '');
  }
}
