// The seeds on the drawing. Each is a node of its own that lies in a house, a store or the hand;
// what is shown is what these nodes are, so nothing is counted twice.

import type { Geometry, Point } from './geometry';
import { HOUSE_COUNT } from './houses';
import { houseSlot, storeSlots } from './slots';
import { svg, translate } from './svg';
import type { Counts } from './types';

/** Houses are places 0 to 11, South's and North's store 12 and 13. */
const PLACES = HOUSE_COUNT + 2;
/** Seeds are drawn in so many ways. */
export const VARIANTS = 6;
/** How high a hand hovers, in units of the drawing. */
const HOVER = 20;

interface Seed {
  node: SVGUseElement;
  at: Point;
}

const GLIDE = 'cubic-bezier(.35,0,.25,1)';

/** Seeds as nodes, and their ways from place to place. */
export class Scene {
  readonly seeds = svg('g', { class: 'seeds' });
  readonly hand = svg('g', { class: 'hand' });
  /** The shadow of a hand that hovers. */
  private readonly shade = svg('ellipse', { class: 'shade', cy: HOVER + 6, rx: 24, ry: 15 });
  private stacks: Seed[][] = Array.from({ length: PLACES }, () => []);
  private held: Seed[] = [];
  private handAt: Point = { x: 0, y: 0 };
  private running = new Set<Animation>();
  private slots: Point[][] = [];
  private made = 0;
  private geometry: Geometry | null = null;

  /** Lays everything out anew; seeds take `ms` milliseconds to their new places. */
  layOut(geometry: Geometry, ms: number): void {
    this.stop();
    this.geometry = geometry;
    this.slots = geometry.stores.map((store) => {
      const { x, y, width, height } = store.rect;
      const tall = height > width;
      // The heap begins where the number is, in front of its owner.
      const from = tall
        ? { x: x + width / 2, y: store.count.y > y ? y + height : y }
        : { x: store.count.x > x ? x + width : x, y: y + height / 2 };
      return storeSlots(store.rect, geometry.seed, from);
    });
    this.stacks.forEach((stack, place) => {
      stack.forEach((seed, slot) => {
        const before = seed.at;
        this.put(seed, this.spot(place, slot));
        this.fly(seed.node, before, seed.at, ms, 1.15);
      });
    });
  }

  /** What lies where. Seeds in hand lie nowhere. */
  counts(): Counts {
    const lengths = this.stacks.map((stack) => stack.length);
    return {
      houses: lengths.slice(0, HOUSE_COUNT),
      stores: [lengths[HOUSE_COUNT] ?? 0, lengths[HOUSE_COUNT + 1] ?? 0],
    };
  }

  /** The nodes in a house, bottom first. */
  nodes(house: number): SVGUseElement[] {
    return (this.stacks[house] ?? []).map((seed) => seed.node);
  }

  /** Makes the seeds lie as counted, at once; only seeds that must move do. */
  settle(counts: Counts): void {
    this.stop();
    const wanted = [...counts.houses, ...counts.stores];
    const free = this.held.splice(0);
    this.shade.remove();
    this.stacks.forEach((stack, place) => free.push(...stack.splice(wanted[place] ?? 0)));
    this.stacks.forEach((stack, place) => {
      while (stack.length < (wanted[place] ?? 0)) this.drop(free.pop() ?? this.make(), place);
    });
    for (const seed of free) seed.node.remove();
  }

  /** Takes all seeds of a house into the hand. */
  lift(house: number, ms: number): void {
    const pit = this.geometry?.houses[house];
    if (!pit) return;
    this.handAt = { x: pit.x, y: pit.y - HOVER };
    this.hand.setAttribute('transform', translate(this.handAt.x, this.handAt.y));
    this.hand.append(this.shade);
    const seeds = this.stack(house).splice(0);
    seeds.forEach((seed, i) => {
      const from = { x: seed.at.x - this.handAt.x, y: seed.at.y - this.handAt.y };
      this.hand.append(seed.node);
      this.held.push(seed);
      this.put(seed, this.inHand(i));
      this.fly(seed.node, from, seed.at, ms, 1);
    });
  }

  /** Moves the hand over a house. */
  pass(house: number, ms: number): void {
    const pit = this.geometry?.houses[house];
    if (!pit) return;
    const before = this.handAt;
    this.handAt = { x: pit.x, y: pit.y - HOVER };
    this.hand.setAttribute('transform', translate(this.handAt.x, this.handAt.y));
    this.fly(this.hand, before, this.handAt, ms, 1, 'linear');
  }

  /** Moves the hand over a house and lets one seed fall. */
  sow(house: number, ms: number): void {
    const seed = this.held.pop() ?? this.make();
    if (this.held.length === 0) this.shade.remove();
    const before = this.handAt;
    this.pass(house, ms);
    const from = { x: before.x + seed.at.x, y: before.y + seed.at.y };
    this.drop(seed, house);
    this.fly(seed.node, from, seed.at, Math.max(ms, 90), 1.12);
  }

  /** Moves all seeds of a house to a store. */
  take(house: number, store: 0 | 1, ms: number): void {
    const seeds = this.stack(house).splice(0);
    seeds.forEach((seed, i) => {
      const from = seed.at;
      this.drop(seed, HOUSE_COUNT + store);
      this.fly(seed.node, from, seed.at, ms + i * 20, 1.3);
    });
  }

  /** A house that cannot be played shakes its head. */
  shake(house: number): void {
    for (const seed of this.stack(house)) {
      const at = (dx: number) => `translate(${seed.at.x + dx}px, ${seed.at.y}px)`;
      this.animate(seed.node, [at(0), at(-3), at(3), at(-2), at(0)], 220, 'linear');
    }
  }

  /** Ends all motion: everything is seen where it lies. */
  stop(): void {
    for (const animation of this.running) animation.cancel();
    this.running.clear();
  }

  private stack(place: number): Seed[] {
    return this.stacks[place] ?? [];
  }

  private spot(place: number, slot: number): Point {
    const pit = this.geometry?.houses[place];
    if (pit) {
      const at = houseSlot(slot, pit.r, place);
      return { x: pit.x + at.x, y: pit.y + at.y };
    }
    return this.slots[place - HOUSE_COUNT]?.[slot] ?? { x: 0, y: 0 };
  }

  /** The n-th seed's place in the hand: a spiral, so that any number looks like a handful. */
  private inHand(nth: number): Point {
    const angle = nth * 2.4;
    const radius = (this.geometry?.seed ?? 0) * 0.95 * Math.sqrt(nth + 0.3);
    return { x: Math.cos(angle) * radius, y: Math.sin(angle) * radius * 0.8 };
  }

  private make(): Seed {
    // Neighbours in the bag should differ, so that houses look mixed.
    const variant = (this.made * 5 + (this.made >> 2)) % VARIANTS;
    this.made += 1;
    return { node: svg('use', { href: `#ow-seed-${variant}` }), at: { x: 0, y: 0 } };
  }

  private drop(seed: Seed, place: number): void {
    const stack = this.stack(place);
    stack.push(seed);
    this.seeds.append(seed.node);
    this.put(seed, this.spot(place, stack.length - 1));
  }

  private put(seed: Seed, at: Point): void {
    seed.at = at;
    seed.node.setAttribute('transform', translate(at.x, at.y));
  }

  private fly(
    node: SVGElement,
    from: Point,
    to: Point,
    ms: number,
    rise: number,
    easing: string = GLIDE,
  ): void {
    const at = (p: Point, scale: number) => `translate(${p.x}px, ${p.y}px) scale(${scale})`;
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    const frames =
      rise === 1 ? [at(from, 1), at(to, 1)] : [at(from, 1), at(middle, rise), at(to, 1)];
    this.animate(node, frames, ms, easing);
  }

  private animate(node: SVGElement, transforms: string[], ms: number, easing: string): void {
    // Without the Web Animations interface the seed is simply there.
    if (typeof node.animate !== 'function' || ms <= 0) return;
    const frames = transforms.map((transform) => ({ transform }));
    const animation = node.animate(frames, { duration: ms, easing });
    this.running.add(animation);
    animation.onfinish = () => this.running.delete(animation);
  }
}
