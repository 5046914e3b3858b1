// The first page: whole games against the computer by mouse, by keys alone, and through the
// accessibility tree.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { counts, seeds, startBrowser, startSite, visitor, type Site } from './site';

let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), startBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

/** Level 1 in settings, so that games are short and either may win. */
async function open(page: Page): Promise<void> {
  await page.addInitScript(() => {
    localStorage.setItem('oware.computer', JSON.stringify({ level: 1 }));
  });
  await page.goto('/');
  await page.locator('oware-board .cell.playable').first().waitFor();
}

const over = (page: Page): Promise<boolean> => page.locator('.explain.over').isVisible();

/** Waits until a house can be played or the game is over; says whether it goes on. */
async function turn(page: Page): Promise<boolean> {
  await page
    .locator('.explain.over, oware-board .cell.playable')
    .first()
    .waitFor({ timeout: 30_000 });
  return !(await over(page));
}

/** The number of moves in the list. */
function plies(page: Page): Promise<number> {
  return page.locator('[data-ply]').count();
}

/** Plays to the end; `play` makes one move. */
async function wholeGame(page: Page, play: () => Promise<void>): Promise<number> {
  let moves = 0;
  while (await turn(page)) {
    expect(moves).toBeLessThan(200);
    const before = await plies(page);
    await play();
    moves += 1;
    // The move and its answer, or the end.
    await expect
      .poll(async () => (await plies(page)) > before || (await over(page)), { timeout: 30_000 })
      .toBe(true);
    expect(await seeds(page)).toBe(48);
  }
  return moves;
}

describe('a whole game against the computer', () => {
  it('by mouse', async () => {
    const { context, page, complaints } = await visitor(browser, site);
    await open(page);
    const moves = await wholeGame(page, () =>
      page.locator('oware-board .cell.playable').first().click(),
    );
    expect(moves).toBeGreaterThan(5);
    expect(await page.locator('.explain .why').first().textContent()).not.toBe('');
    await page.getByRole('button', { name: 'Play again' }).click();
    await page.locator('oware-board .cell.playable').first().waitFor();
    expect((await counts(page)).houses).toEqual(new Array<number>(12).fill(4));
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('by keys alone', async () => {
    const { context, page, complaints } = await visitor(browser, site);
    await open(page);
    // From the top of the page to the board by Tab.
    const onBoard = (): Promise<boolean> =>
      page.evaluate(() => document.activeElement?.tagName === 'OWARE-BOARD');
    for (let n = 0; n < 40 && !(await onBoard()); n += 1) await page.keyboard.press('Tab');
    expect(await onBoard()).toBe(true);
    await wholeGame(page, async () => {
      const house = await page
        .locator('oware-board .cell.playable')
        .first()
        .getAttribute('data-house');
      await page.keyboard.press(String('ABCDEF'.indexOf(house ?? '') + 1));
    });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('through the accessibility tree, with one sentence for each move', async () => {
    const { context, page, complaints } = await visitor(browser, site);
    await open(page);
    const sentences: string[] = [];
    await page.exposeFunction('heard', (text: string) => sentences.push(text));
    await page.evaluate(() => {
      const root = document.querySelector('oware-board')?.shadowRoot;
      const live = root?.querySelector('[aria-live]');
      if (!live) throw new Error('no live region');
      const { heard } = window as unknown as { heard(text: string): void };
      new MutationObserver(() => heard(live.textContent ?? '')).observe(live, { childList: true });
    });
    await wholeGame(page, () =>
      page
        .getByRole('gridcell', { name: /can play/ })
        .first()
        .press('Enter'),
    );
    const total = await plies(page);
    expect(sentences).toHaveLength(total);
    expect(sentences[0]).toMatch(/^You played house \d, \d seeds, ending in .*\.$/);
    expect(sentences[1]).toMatch(/^Opponent played house/);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe('at the board', () => {
  it('two clicks within 30 ms are one move', async () => {
    const { context, page } = await visitor(browser, site);
    await open(page);
    await page.evaluate(() => {
      const cells = document
        .querySelector('oware-board')
        ?.shadowRoot?.querySelectorAll<HTMLElement>('.cell.playable');
      cells?.[0]?.click();
      setTimeout(() => cells?.[0]?.click(), 10);
      setTimeout(() => cells?.[1]?.click(), 30);
    });
    await expect.poll(() => plies(page), { timeout: 20_000 }).toBe(2);
    await page.waitForTimeout(500);
    expect(await plies(page)).toBe(2);
    await context.close();
  });

  it('a reload goes on where it was, and moves can be taken back', async () => {
    const { context, page } = await visitor(browser, site);
    await open(page);
    await page.locator('oware-board .cell.playable').first().click();
    await expect.poll(() => plies(page), { timeout: 20_000 }).toBe(2);
    const before = await counts(page);
    await page.reload();
    await expect.poll(() => plies(page), { timeout: 20_000 }).toBe(2);
    expect(await counts(page)).toEqual(before);
    await page.getByRole('button', { name: 'Take back' }).click();
    await expect.poll(() => plies(page), { timeout: 20_000 }).toBe(0);
    await page.locator('oware-board .cell.playable').first().waitFor();
    await context.close();
  });

  it('whoever plays second waits for the computer', async () => {
    const { context, page } = await visitor(browser, site);
    await open(page);
    await page.getByRole('radio', { name: 'Second' }).check();
    await page.getByRole('button', { name: 'Start the game' }).click();
    await expect.poll(() => plies(page), { timeout: 20_000 }).toBe(1);
    await expect(
      page.getByRole('gridcell', { name: /^your house 1, .*can play/ }).count(),
    ).resolves.toBe(1);
    await context.close();
  });

  it('nothing on the page moves while a game is played', async () => {
    const { context, page } = await visitor(browser, site, { width: 390, height: 844 });
    await open(page);
    await page.evaluate(() => {
      const shifts = ((window as unknown as { shifts: number[] }).shifts = []) as number[];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const shift = entry as unknown as { value: number };
          shifts.push(shift.value);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    for (let n = 0; n < 4 && (await turn(page)); n += 1) {
      const before = await plies(page);
      await page.locator('oware-board .cell.playable').first().click();
      await expect.poll(() => plies(page), { timeout: 20_000 }).toBeGreaterThan(before);
    }
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
    expect(shifts.reduce((sum, n) => sum + n, 0)).toBeLessThan(0.02);
    await context.close();
  });
});
