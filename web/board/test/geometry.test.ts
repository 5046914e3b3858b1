// Where things lie: layouts, neighbours, and the places of seeds.

import { describe, expect, test } from 'vitest';
import { HOUSES, chooseLayout, geometry, houseSlot, neighbour, spreadSlots } from '../index';
import { storeSlots } from '../index';
import type { House } from '../index';

const LAYOUTS = [
  geometry('horizontal', 'south', false),
  geometry('horizontal', 'north', false),
  geometry('horizontal', 'south', true),
  geometry('vertical', 'south', false),
  geometry('vertical', 'north', true),
];

function order(houses: House[], by: 'x' | 'y', shape: (typeof LAYOUTS)[number]): string {
  const at = (house: House) => shape.houses[HOUSES.indexOf(house)]?.[by] ?? 0;
  return [...houses].sort((a, b) => at(a) - at(b)).join('');
}

const SOUTH = HOUSES.slice(0, 6);
const NORTH = HOUSES.slice(6);

describe('layouts', () => {
  test('a row runs from its owner’s left to his right, anticlockwise round the board', () => {
    const flat = geometry('horizontal', 'south', false);
    expect(order(SOUTH, 'x', flat)).toBe('ABCDEF');
    expect(order(NORTH, 'x', flat)).toBe('fedcba');
    expect(flat.houses[0]?.y).toBeGreaterThan(flat.houses[6]?.y ?? 0);
    const turned = geometry('horizontal', 'north', false);
    expect(order(NORTH, 'x', turned)).toBe('abcdef');
    expect(order(SOUTH, 'x', turned)).toBe('FEDCBA');
    const tall = geometry('vertical', 'south', false);
    expect(order(SOUTH, 'y', tall)).toBe('FEDCBA');
    expect(order(NORTH, 'y', tall)).toBe('abcdef');
    expect(tall.houses[0]?.x).toBeGreaterThan(tall.houses[6]?.x ?? 0);
  });

  test('a flip turns everything by 180 degrees, stores and labels included', () => {
    for (const layout of ['horizontal', 'vertical'] as const) {
      const south = geometry(layout, 'south', false);
      const north = geometry(layout, 'north', false);
      south.houses.forEach((house, at) => {
        const other = north.houses[(at + 6) % 12];
        expect([house.x, house.y]).toEqual([other?.x, other?.y]);
      });
      expect(south.stores[0]).toEqual(north.stores[1]);
    }
  });

  test('the store is at its owner’s right hand, or before him', () => {
    const side = geometry('horizontal', 'south', false);
    expect(side.stores[0].rect.x).toBeGreaterThan(side.width / 2);
    expect(side.stores[1].rect.x).toBeLessThan(side.width / 2);
    const front = geometry('horizontal', 'south', true);
    expect(front.stores[0].rect.y).toBeGreaterThan(front.houses[0]?.y ?? 0);
    expect(front.stores[1].rect.y).toBeLessThan(front.houses[6]?.y ?? 0);
  });

  test('everything is inside the drawing and no pit touches another', () => {
    for (const shape of LAYOUTS) {
      for (const { x, y, r, hit } of shape.houses) {
        expect(x - r).toBeGreaterThan(0);
        expect(x + r).toBeLessThan(shape.width);
        expect(y - r).toBeGreaterThan(0);
        expect(y + r).toBeLessThan(shape.height);
        expect(hit.x).toBeGreaterThanOrEqual(0);
        expect(hit.x + hit.width).toBeLessThanOrEqual(shape.width);
        for (const other of shape.houses) {
          const distance = Math.hypot(other.x - x, other.y - y);
          if (distance > 0) expect(distance).toBeGreaterThan(2 * r + 8);
        }
        for (const { rect } of shape.stores) {
          const dx = Math.max(rect.x - x, 0, x - rect.x - rect.width);
          const dy = Math.max(rect.y - y, 0, y - rect.y - rect.height);
          expect(Math.hypot(dx, dy)).toBeGreaterThan(r + 4);
        }
      }
    }
  });

  test('a finger finds every house: 48 CSS pixels on the smallest screens', () => {
    for (const [layout, width] of [
      ['vertical', 320],
      ['horizontal', 560],
    ] as const) {
      for (const front of [false, true]) {
        const shape = geometry(layout, 'south', front);
        for (const { hit } of shape.houses) {
          expect((hit.width * width) / shape.width).toBeGreaterThanOrEqual(48);
          expect((hit.height * width) / shape.width).toBeGreaterThanOrEqual(48);
        }
      }
    }
  });

  test('a phone held upright is vertical, and a scrollbar does not turn the board', () => {
    expect(chooseLayout(360, Infinity, null)).toBe('vertical');
    expect(chooseLayout(320, 560, null)).toBe('vertical');
    expect(chooseLayout(900, Infinity, null)).toBe('horizontal');
    expect(chooseLayout(500, 180, null)).toBe('horizontal');
    expect(chooseLayout(565, Infinity, 'vertical')).toBe('vertical');
    expect(chooseLayout(550, Infinity, 'horizontal')).toBe('horizontal');
    expect(chooseLayout(0, Infinity, null)).toBe('horizontal');
  });
});

describe('arrow keys', () => {
  test('lead to the house that is seen there, and no further than the edge', () => {
    expect(neighbour('A', 'right', 'horizontal', 'south')).toBe('B');
    expect(neighbour('A', 'left', 'horizontal', 'south')).toBe('A');
    expect(neighbour('A', 'up', 'horizontal', 'south')).toBe('f');
    expect(neighbour('f', 'down', 'horizontal', 'south')).toBe('A');
    expect(neighbour('f', 'right', 'horizontal', 'south')).toBe('e');
    expect(neighbour('A', 'left', 'horizontal', 'north')).toBe('B');
    expect(neighbour('A', 'up', 'vertical', 'south')).toBe('B');
    expect(neighbour('A', 'left', 'vertical', 'south')).toBe('f');
    expect(neighbour('a', 'up', 'vertical', 'south')).toBe('a');
    expect(neighbour('a', 'down', 'vertical', 'south')).toBe('b');
  });

  test('agree with the drawing in every layout', () => {
    for (const shape of LAYOUTS) {
      const near = shape.far === 'south' ? 'north' : 'south';
      for (const house of HOUSES) {
        const at = shape.houses[HOUSES.indexOf(house)];
        for (const direction of ['left', 'right', 'up', 'down'] as const) {
          const next = neighbour(house, direction, shape.layout, near);
          if (next === house || !at) continue;
          const to = shape.houses[HOUSES.indexOf(next)];
          const dx = Math.round((to?.x ?? 0) - at.x);
          const dy = Math.round((to?.y ?? 0) - at.y);
          const way = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction];
          expect([Math.sign(dx), Math.sign(dy)]).toEqual(way);
        }
      }
    }
  });
});

describe('places of seeds', () => {
  test('depend on the number alone, stay in the pit, and twelve do not hide each other', () => {
    for (let house = 0; house < 12; house += 1) {
      const points = Array.from({ length: 48 }, (_, slot) => houseSlot(slot, 46, house));
      expect(points).toEqual(Array.from({ length: 48 }, (_, slot) => houseSlot(slot, 46, house)));
      for (const point of points) expect(Math.hypot(point.x, point.y)).toBeLessThan(46 - 10);
      const apart = (many: number, least: number) => {
        for (let i = 0; i < many; i += 1) {
          for (let k = 0; k < i; k += 1) {
            const a = points[i] ?? { x: 0, y: 0 };
            const b = points[k] ?? { x: 0, y: 0 };
            expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(least);
          }
        }
      };
      // Seeds are about 21 across: twelve overlap by less than a third, 24 can all be seen.
      apart(12, 14);
      apart(24, 7);
    }
  });

  test('in stores are 48 different ones inside the store', () => {
    for (const shape of LAYOUTS) {
      for (const { rect, count } of shape.stores) {
        const slots = storeSlots(rect, shape.seed, count);
        expect(slots).toHaveLength(48);
        expect(new Set(slots.map((p) => `${p.x} ${p.y}`)).size).toBe(48);
        for (const { x, y } of slots) {
          expect(x - shape.seed).toBeGreaterThan(rect.x);
          expect(x + shape.seed).toBeLessThan(rect.x + rect.width);
          expect(y - shape.seed).toBeGreaterThan(rect.y);
          expect(y + shape.seed).toBeLessThan(rect.y + rect.height);
        }
      }
    }
  });

  test('spread for counting lie apart, ten in a row with a gap after five', () => {
    const { points, box } = spreadSlots(23, 10);
    expect(points).toHaveLength(23);
    expect(new Set(points.map((p) => Math.round(p.y))).size).toBe(3);
    const gap = (points[5]?.x ?? 0) - (points[4]?.x ?? 0);
    expect(gap).toBeGreaterThan((points[1]?.x ?? 0) - (points[0]?.x ?? 0) + 5);
    for (const p of points) expect(p.x > box.x && p.x < box.x + box.width).toBe(true);
    expect(spreadSlots(0, 10).points).toEqual([]);
  });
});
