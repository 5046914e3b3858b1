// Analysis, puzzles and lessons in a real browser: what is pasted, walked, shared and loaded
// again; that the engine stops when nobody looks; a puzzle by wrong and right moves; a lesson by
// keys.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Site } from './site';
import { TEST_MS } from './patience';
import { counts, PLAYABLE } from './table';
import { visit } from './visit';

const RECORD = `[South "Ama"]

1. F f { a comment } ( 1... e 2. E ) 2. B e *`;

/** What lies on the board after its main line. */
const LAST = { houses: [6, 1, 7, 6, 5, 1, 6, 5, 5, 5, 0, 1], stores: [0, 0] };

/** A puzzle of two moves: C, answered by a, then D. F loses. */
const PUZZLE = 'w5-4005';

let site: Site;

beforeAll(async () => {
  site = await Site.start();
});

afterAll(() => site?.stop());

async function house(page: Page, letter: string): Promise<void> {
  const first = page.locator(PLAYABLE).first();
  await first.waitFor();
  await first.focus();
  await page.keyboard.press(letter.toLowerCase());
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('oware-board .cell').first().waitFor();
}

describe('analysis', () => {
  it('reads a record, is walked by keys, and is there again after loading', async () => {
    const { page } = await visit(site);
    await open(page, '/analysis');
    await page.getByRole('tab', { name: 'Share' }).click();
    await page.locator('#text-in').fill(RECORD);
    await page.getByRole('button', { name: 'Read this' }).click();
    const tree = page.getByRole('group', { name: 'Moves', exact: true });
    await tree.getByText('a comment').waitFor();
    await page.locator('h1').click();
    const current = tree.locator('[aria-current]');
    for (const [key, move] of [
      ['ArrowRight', '1. F'],
      ['ArrowRight', 'f'],
      ['ArrowDown', 'e'],
      ['ArrowRight', '2. E'],
      ['ArrowLeft', 'e'],
      ['ArrowUp', 'f'],
      ['End', 'e'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => current.innerText()).toBe(move);
    }
    await expect.poll(() => counts(page)).toEqual(LAST);
    await page.reload();
    await tree.getByText('a comment').waitFor();
    await expect.poll(() => current.innerText()).toBe('e');
    await expect.poll(() => counts(page)).toEqual(LAST);
    await expect.poll(() => page.locator('.variation').innerText()).toContain('E');
  });

  it('plays what is chosen on the board, and deletes and promotes it', async () => {
    const { page } = await visit(site);
    await open(page, '/analysis?moves=Ff&at=1');
    await house(page, 'e');
    await expect.poll(() => page.url()).toContain('tree=');
    const tree = page.getByRole('group', { name: 'Moves', exact: true });
    const whole = async (): Promise<string> => (await tree.innerText()).replace(/\s+/g, ' ');
    await expect.poll(whole).toBe('1. F f e');
    await page.getByRole('button', { name: 'Variation up' }).click();
    await expect.poll(whole).toBe('1. F e f');
    await page.getByRole('button', { name: 'Delete from here' }).click();
    await expect.poll(whole).toBe('1. F f');
  });

  it('thinks while somebody looks, takes a line, and stops when they leave', async () => {
    const { page } = await visit(site);
    const ended: Request[] = [];
    const begun: Request[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/analysis') && request.method() === 'POST') begun.push(request);
    });
    page.on('requestfailed', (request) => {
      if (request.url().endsWith('/analysis')) ended.push(request);
    });
    await open(page, '/analysis');
    await page.getByLabel('Engine').check();
    const line = page.getByRole('region', { name: 'Engine' }).locator('li button').first();
    await line.waitFor();
    await expect.poll(async () => (await line.innerText()).split(' ').length).toBeGreaterThan(1);
    await line.click();
    // The old search is given up, and the new position is looked at.
    await expect.poll(() => begun.length).toBe(2);
    await expect.poll(() => ended.length).toBe(1);
    await page.getByRole('link', { name: 'Learn' }).first().click();
    await page.locator('h1', { hasText: 'Learn' }).waitFor();
    await expect.poll(() => ended.length).toBe(2);
  });

  it('holds a position that is set up to 48 seeds', async () => {
    const { page } = await visit(site);
    await open(page, '/analysis');
    await page.getByRole('tab', { name: 'Set up' }).click();
    const use = page.getByRole('button', { name: 'Analyse this' });
    await page.getByLabel('A', { exact: true }).fill('0');
    await page.getByText('44 seeds; there have to be 48.').waitFor();
    await expect.poll(() => use.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Fill the stores' }).click();
    await use.click();
    const houses = [0, ...new Array<number>(11).fill(4)];
    await expect.poll(() => counts(page)).toEqual({ houses, stores: [2, 2] });
  });

  it('reports on a game and lets mistakes be tried again', async () => {
    const { page } = await visit(site);
    await open(page, '/analysis?moves=FaDaBbEaCb');
    await page.getByRole('tab', { name: 'Report' }).click();
    await page.getByText('Quick').click();
    await page.getByRole('button', { name: 'Look at the game' }).click();
    await page
      .getByRole('rowheader', { name: 'Accuracy', exact: true })
      .waitFor({ timeout: TEST_MS / 2 });
    const first = page.locator('.faults li').first();
    await first.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Find something better on the board.').waitFor();
    await first.getByRole('button', { name: 'Show the best line' }).click();
    await expect.poll(() => page.url()).toContain('tree=');
  });
});

describe('puzzles', () => {
  it('refute a wrong move, accept the right ones, and remember', async () => {
    const { page } = await visit(site);
    await open(page, `/puzzles/${PUZZLE}`);
    await page.getByText('South to move and win.').waitFor();
    await house(page, 'F');
    await page.getByText('F loses').waitFor();
    await page.getByText('It goes on like this:').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await house(page, 'C');
    await page.getByText('Go on: the next move').first().waitFor();
    await house(page, 'D');
    await page.getByText('Solved.').waitFor();
    await page.getByRole('link', { name: 'All puzzles' }).click();
    await page.getByText('Solved: 1 of').waitFor();
    await page.getByText('Only those I have not solved').click();
    await expect.poll(() => page.url()).toContain('open=1');
  });
});

interface Lesson {
  id: string;
  steps: { right: string[]; reply?: string }[];
}

describe('lessons', () => {
  it('are gone through from the first to the last', async () => {
    const path = join(import.meta.dirname, '..', 'src', 'pages', 'learn', 'lessons.json');
    const lessons = JSON.parse(readFileSync(path, 'utf8')) as Lesson[];
    const { page } = await visit(site, { language: 'fr' });
    await open(page, `/learn/${lessons[0]?.id ?? ''}`);
    for (const { id, steps } of lessons) {
      for (const [index, step] of steps.entries()) {
        await page.getByText(`étape ${index + 1} sur ${steps.length}`).waitFor();
        await house(page, step.right[0] ?? '');
        await page.locator('.answer .good').waitFor();
        await page.locator('.side .primary').click();
      }
      if (id !== lessons.at(-1)?.id) await page.waitForURL(/\/learn\//);
    }
    await page.waitForURL(`${site.address}/`);
  });

  it('say what is wrong with a move and let another be tried', async () => {
    const { page } = await visit(site);
    await open(page, '/learn/capture');
    await house(page, 'A');
    await page.getByText('A captures nothing').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await house(page, 'C');
    await page.getByText('Two seeds for your store.').waitFor();
  });
});
