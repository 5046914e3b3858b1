// `<oware-mini>`: a small picture of a board for lists. Nothing moves and nothing can be pressed,
// and all seeds are one path of dots, so that a hundred of them cost little.

import { checkCounts, checkTrace } from './check';
import { scoreFacts } from './facts';
import { HOUSE_COUNT, ROW, indexOf } from './houses';
import { ENGLISH } from './labels';
import type { BoardLabels } from './labels';
import { houseSlot } from './slots';
import { circle, n, path, roundRect, svg } from './svg';
import type { Counts, Side, Trace } from './types';
import { adopt } from './styles';

const PITCH = 26;
const RADIUS = 11.5;
const WIDTH = 6 * PITCH + 64;
const HEIGHT = 2 * PITCH + 8;

/** What a small board shows; `last` marks a move, `numbers` shows digits instead of seeds. */
export interface MiniOptions {
  viewpoint?: Side | null;
  last?: Trace | null;
  numbers?: boolean;
  labels?: BoardLabels;
}

function place(index: number, near: Side): { x: number; y: number } {
  const isNear = (index < ROW ? 'south' : 'north') === near;
  const column = isNear ? index % ROW : ROW - 1 - (index % ROW);
  return {
    x: 32 + (column + 0.5) * PITCH,
    y: HEIGHT / 2 + (isNear ? 0.5 : -0.5) * PITCH,
  };
}

function label(x: number, y: number, text: string, size: number, kind = 'mini-text'): string {
  return (
    `<text x="${n(x)}" y="${n(y)}" font-size="${size}" class="${kind}" text-anchor="middle" ` +
    `dominant-baseline="central">${text}</text>`
  );
}

/** The picture as SVG text. */
export function miniArt(counts: Counts, options: MiniOptions): string {
  const near = options.viewpoint ?? 'south';
  const { last } = options;
  let pits = '';
  let dots = '';
  let rings = '';
  let numbers = '';
  for (let at = 0; at < HOUSE_COUNT; at += 1) {
    const { x, y } = place(at, near);
    const seeds = counts.houses[at] ?? 0;
    pits += circle(x, y, RADIUS, 'class="mini-pit"');
    if (options.numbers) numbers += label(x, y, String(seeds), 13, 'mini-number');
    for (let slot = 0; slot < seeds && !options.numbers; slot += 1) {
      const dot = houseSlot(slot, RADIUS, at);
      dots += `M${n(x + dot.x)} ${n(y + dot.y)}h0`;
    }
    if (last && at === indexOf(last.house)) {
      rings += circle(x, y, RADIUS, 'class="mini-ring" stroke-dasharray="3 2.4"');
    }
    if (last && at === indexOf(last.last)) rings += circle(x, y, RADIUS, 'class="mini-ring"');
  }
  const nearStore = counts.stores[near === 'south' ? 0 : 1];
  const farStore = counts.stores[near === 'south' ? 1 : 0];
  return (
    roundRect({ x: 0, y: 0, width: WIDTH, height: HEIGHT }, 14, 0, 'class="mini-board"') +
    pits +
    path(dots || 'M0 0', 'class="mini-seeds"') +
    rings +
    numbers +
    label(WIDTH - 16, HEIGHT / 2, String(nearStore), 17) +
    label(16, HEIGHT / 2, String(farStore), 17)
  );
}

export class OwareMini extends HTMLElement {
  private readonly picture = svg('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: 'mini',
    role: 'img',
  });

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    adopt(root);
    root.append(this.picture);
  }

  /** Shows counts. Throws a TypeError that names a bad field. */
  show(counts: Counts, options: MiniOptions = {}): void {
    checkCounts('position', counts);
    if (options.last) checkTrace('last', options.last);
    this.picture.innerHTML = miniArt(counts, options);
    const labels = { ...ENGLISH, ...options.labels };
    const scores = scoreFacts(counts, options.viewpoint ?? null);
    this.picture.setAttribute('aria-label', labels.mini(scores));
  }
}
