// The last move without colour: in a gray picture of the board the house a move began in, the one
// it ended in and those that were captured are seen, each by marks of a shape of its own.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { House } from '../src/api/types';
import { Client } from './furnish';
import { Site } from './site';
import { agrees } from './table';
import { settled, visit } from './visit';

/** E sows into F, a and b, and takes b and a. */
const START = '4-4-4-4-3-4-1-2-4-4-4-4-3-3-S';
const MOVE = 'E';
/** Houses that the move has to do with, and some that it has not. */
const MARKED = { source: 'E', ended: 'b', captured: 'a' } as const;
const PLAIN = ['B', 'C', 'd', 'e'] as const;
/** Pixels that differ by fewer of 256 grays are taken as equal. */
const STEP = 40;

let site: Site;
let game: string;

beforeAll(async () => {
  site = await Site.start();
  const client = await Client.of(site);
  const { id } = await client.create({
    opponent: { kind: 'same_device' },
    seat: 'south',
    start: START,
  });
  await client.act(id, { action: 'move', ply: 1, house: MOVE });
  await client.close();
  game = id;
});

afterAll(() => site?.stop());

/** The houses of a board as gray pictures, each of the same size. */
async function houses(page: Page, names: readonly House[]): Promise<Map<House, number[]>> {
  const boxes = await page.locator('oware-board').evaluate((board, wanted) => {
    const { left, top } = board.getBoundingClientRect();
    return wanted.map((name) => {
      const cell = board.shadowRoot?.querySelector(`[data-house=${name}]`);
      const box = cell?.getBoundingClientRect();
      if (!box) throw new Error(`there is no house ${name}`);
      return { x: box.left - left + box.width / 2, y: box.top - top + box.height / 2 };
    });
  }, names);
  const picture = (await page.locator('oware-board').screenshot()).toString('base64');
  const all = await page.evaluate(
    async ({ picture, boxes }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${picture}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('no canvas');
      context.drawImage(image, 0, 0);
      const size = 96;
      return boxes.map(({ x, y }) => {
        const { data } = context.getImageData(x - size / 2, y - size / 2, size, size);
        return Array.from({ length: size * size }, (_, at) => {
          const [red = 0, green = 0, blue = 0] = data.slice(at * 4, at * 4 + 3);
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        });
      });
    },
    { picture, boxes },
  );
  return new Map(names.map((name, at) => [name, all[at] ?? []]));
}

/** Where two pictures differ so that it is seen. */
function changed(a: readonly number[], b: readonly number[]): boolean[] {
  return a.map((gray, at) => Math.abs(gray - (b[at] ?? 0)) >= STEP);
}

const count = (pixels: readonly boolean[]): number => pixels.filter(Boolean).length;

it.each([
  ...['wood', 'wood-dark', 'folding', 'ground'].map((theme) => [theme, [false]] as const),
  // These follow the colours of the page.
  ...['contrast', 'numbers'].map((theme) => [theme, [false, true]] as const),
])('on the board %s', async (theme, schemes) => {
  for (const dark of schemes) {
    const { page } = await visit(site, { dark, settings: { theme } });
    await page.goto(`/game/${game}`);
    await settled(page);
    await agrees(page);
    const all: House[] = [...Object.values(MARKED), ...PLAIN];
    const marks = page.locator('oware-board .marks');
    // By the drawing: a broken ring, a full one, a notch with the number taken for each.
    await expect.poll(() => marks.locator('[stroke-dasharray].core').count()).toBe(1);
    const full = marks.locator('circle.core:not([stroke-dasharray])');
    await expect.poll(() => full.count()).toBe(1);
    await expect.poll(() => marks.locator('.wedge').count()).toBe(2);
    const taken = async (): Promise<string[]> =>
      (await marks.locator('.taken').allTextContents()).sort();
    await expect.poll(taken).toEqual(['2', '3']);
    // By the eye: the same picture with the marks and without.
    const withMarks = await houses(page, all);
    await marks.evaluateAll((groups) =>
      groups.forEach((group) => ((group as SVGElement).style.visibility = 'hidden')),
    );
    const without = await houses(page, all);
    const masks = new Map(
      all.map((name) => [name, changed(withMarks.get(name) ?? [], without.get(name) ?? [])]),
    );
    const mask = (name: House): boolean[] => masks.get(name) ?? [];
    for (const name of PLAIN) expect(count(mask(name)), `${theme}: ${name}`).toBe(0);
    const marked = Object.values(MARKED);
    for (const name of marked) expect(count(mask(name)), `${theme}: ${name}`).toBeGreaterThan(60);
    for (const [at, one] of marked.entries()) {
      for (const other of marked.slice(at + 1)) {
        const a = mask(one);
        const b = mask(other);
        const either = count(a.map((pixel, i) => pixel || (b[i] ?? false)));
        const both = count(a.map((pixel, i) => pixel && (b[i] ?? false)));
        expect(both / either, `${theme}: ${one} and ${other}`).toBeLessThan(0.6);
      }
    }
  }
});
