// Every page in every language: nothing serious for axe in light and dark, nothing wider than the
// screen, no text without words, nothing that is shifted while it loads, no complaint of the
// browser; and how much the first visit loads.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furnish, type Furnished } from './furnish';
import { Site } from './site';
import { PLAYABLE } from './table';
import { missing, said } from './texts';
import { settled, shifted, visit } from './visit';

const PAGES = [
  ...['computer', 'friend', 'lobby', 'correspondence', 'settings', 'about', 'missing', 'admin'],
  ...['game-running', 'game-over', 'game-invitation', 'game-by-days', 'game-missing'],
  ...['analysis', 'analysis-of-game', 'learn', 'learn-rules', 'learn-names', 'puzzles', 'puzzle'],
  ...['player', 'player-other', 'leaders', 'sign-in'],
];

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let site: Site;
let furnished: Furnished;

beforeAll(async () => {
  site = await Site.start();
  furnished = await furnish(site);
});

afterAll(() => site?.stop());

/** What axe finds that would keep somebody out. */
async function serious(page: Page): Promise<string[]> {
  const found = await page.evaluate(() => {
    const { axe: tool } = window as unknown as { axe: { run(): Promise<AxeResult> } };
    return tool.run();
  });
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}

/** By how many pixels a page is wider than the screen, for screens that are too narrow for it. */
async function wider(page: Page): Promise<Record<number, number>> {
  const found: Record<number, number> = {};
  // 640 pixels are also a desk's 1280 at twice the size.
  for (const width of [320, 360, 640, 1024, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (excess > 0) found[width] = excess;
  }
  return found;
}

describe.each(PAGES)('%s', (name) => {
  // The one game that is asked for and is not there.
  const expects = name === 'game-missing' ? /404/ : /^$/;

  it.each(['en', 'fr', 'ja'] as const)('in %s', async (language) => {
    const { session, pages } = furnished;
    const path = pages[name];
    if (path === undefined) throw new Error(`there is no address for ${name}`);
    const { page } = await visit(site, { language, session, expects });
    await page.goto(path);
    await settled(page);
    expect(await shifted(page)).toBeLessThan(0.02);
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(language);
    expect(missing(await said(page), language)).toEqual([]);
    expect(await wider(page)).toEqual({});
    await page.setViewportSize({ width: 1280, height: 800 });
    if (language !== 'en') return;
    await page.evaluate(axe);
    expect(await serious(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await serious(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await serious(page)).toEqual([]);
  });
});

it('nothing grows out of the page when somebody reads at twice the size', async () => {
  const { page, context } = await visit(site, { session: furnished.session, expects: /404/ });
  // The browser's own size of text, not the page's: what is wide depends on it, too.
  const session = await context.newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  const found: Record<string, number> = {};
  for (const [name, path] of Object.entries(furnished.pages)) {
    await page.goto(path);
    await settled(page);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (excess > 0) found[name] = excess;
  }
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(
    '32px',
  );
  expect(found).toEqual({});
});

it('the first visit loads less than 150 KB, and can be played within two seconds', async () => {
  const { context, page } = await visit(site);
  let bytes = 0;
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.loadingFinished', (event) => (bytes += event.encodedDataLength));
  const before = Date.now();
  await page.goto('/');
  await page.locator(PLAYABLE).first().waitFor();
  const playable = Date.now() - before;
  await page.waitForLoadState('networkidle');
  console.log(`first visit: ${(bytes / 1000).toFixed(1)} KB, playable after ${playable} ms`);
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(150_000);
  // Two seconds on a machine that has nothing else to do.
  expect(playable).toBeLessThan(20_000);
});
