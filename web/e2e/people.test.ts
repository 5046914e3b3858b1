// Two people in two browsers, and a third who watches.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { counts, startBrowser, startSite, visitor, type Site } from './site';

let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), startBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

const plies = (page: Page): Promise<number> => page.locator('[data-ply]').count();

/** Makes a game by link with some choices; says its address. */
async function invite(page: Page, ...choices: string[]): Promise<string> {
  await page.goto('/friend');
  for (const choice of choices)
    await page.getByRole('radio', { name: choice, exact: true }).check();
  await page.getByRole('button', { name: 'Make a link' }).click();
  await page.waitForURL(/\/game\//);
  return page.getByLabel('Link to this game').inputValue();
}

/** Plays a move for whoever's turn it is, and waits until all have seen it. */
async function playOne(players: Page[], watchers: Page[], ply: number): Promise<boolean> {
  const [mover] = ply % 2 === 1 ? players : [...players].reverse();
  if (!mover) throw new Error('nobody plays');
  await mover
    .locator('.explain.over, oware-board .cell.playable')
    .first()
    .waitFor({ timeout: 30_000 });
  if (await mover.locator('.explain.over').isVisible()) return false;
  await mover.locator('oware-board .cell.playable').first().click();
  for (const page of [...players, ...watchers]) {
    await expect.poll(() => plies(page), { timeout: 20_000 }).toBe(ply);
  }
  return true;
}

it('a live game by link with clocks to the end, a third watching', async () => {
  const south = await visitor(browser, site);
  const north = await visitor(browser, site, { width: 390, height: 844 });
  const third = await visitor(browser, site);
  const address = await invite(south.page, 'Clock', '5 min + 3 s', 'First');
  await north.page.goto(address);
  await north.page.getByRole('button', { name: 'Sit down' }).click();
  await south.page.getByRole('timer').first().waitFor();
  await third.page.goto(address);
  await third.page.getByText('You are watching this game.').waitFor();
  const players = [south.page, north.page];
  let ply = 1;
  while (await playOne(players, [third.page], ply)) {
    if (ply % 10 === 0) {
      const all = await Promise.all([...players, third.page].map(counts));
      expect(all[1]).toEqual(all[0]);
      expect(all[2]).toEqual(all[0]);
    }
    // The clocks run from the second ply on and say so.
    if (ply === 3) {
      expect(await south.page.locator('.clock.running').count()).toBe(1);
    }
    ply += 1;
    expect(ply).toBeLessThan(400);
  }
  for (const { page } of [south, north, third]) {
    await page.locator('.explain.over').waitFor();
  }
  const [a, b, c] = await Promise.all([south, north, third].map(({ page }) => counts(page)));
  expect(b).toEqual(a);
  expect(c).toEqual(a);
  const complaints = [south, north, third].flatMap((one) => one.complaints);
  expect(complaints).toEqual([]);
  // A rematch is offered by one and accepted by the other, with the seats exchanged.
  await south.page.getByRole('button', { name: 'Rematch' }).click();
  await north.page.getByRole('button', { name: 'Accept the rematch' }).click();
  await south.page.waitForURL((url) => !address.endsWith(url.pathname));
  await north.page.waitForURL((url) => url.href === south.page.url());
  await north.page.getByText('Your turn').waitFor();
  for (const one of [south, north, third]) await one.context.close();
});

it('a match of two alternates who begins', async () => {
  const one = await visitor(browser, site);
  const two = await visitor(browser, site);
  const address = await invite(one.page, 'Match of 2', 'First');
  await two.page.goto(address);
  await two.page.getByRole('button', { name: 'Sit down' }).click();
  await playOne([one.page, two.page], [], 1);
  await playOne([one.page, two.page], [], 2);
  await one.page.getByRole('button', { name: 'Resign' }).click();
  await one.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  for (const { page } of [one, two]) {
    await page.getByRole('link', { name: 'Next game of the match' }).click();
    await page.getByText('Game 2 of 2').waitFor();
  }
  await two.page.getByText('Your turn').waitFor();
  await playOne([two.page, one.page], [], 1);
  for (const visit of [one, two]) {
    expect(visit.complaints).toEqual([]);
    await visit.context.close();
  }
});

it('the lobby brings two together', async () => {
  const host = await visitor(browser, site);
  const guest = await visitor(browser, site);
  await guest.page.goto('/lobby');
  await guest.page.getByText('Nobody is waiting').waitFor();
  await host.page.goto('/lobby');
  await host.page.getByRole('button', { name: 'Wait for somebody' }).click();
  await host.page.waitForURL(/\/game\//);
  await guest.page.getByRole('button', { name: 'Sit down' }).click();
  await guest.page.waitForURL(/\/game\//);
  expect(guest.page.url()).toBe(host.page.url());
  await host.page.getByRole('timer').first().waitFor();
  await guest.context.close();
  await host.context.close();
});

it('two tabs of one player show one game, and only one move is played', async () => {
  const player = await visitor(browser, site);
  await player.page.goto('/friend');
  await player.page.getByRole('radio', { name: 'At this device' }).check();
  await player.page.getByRole('button', { name: 'Start the game' }).click();
  await player.page.waitForURL(/\/game\//);
  const other = await player.context.newPage();
  await other.goto(player.page.url());
  await other.locator('oware-board .cell.playable').first().waitFor();
  const click = (page: Page, which: number): Promise<void> =>
    page.evaluate((at) => {
      const root = document.querySelector('oware-board')?.shadowRoot;
      [...(root?.querySelectorAll<HTMLElement>('.cell.playable') ?? [])].at(at)?.click();
    }, which);
  await player.page.locator('oware-board .cell.playable').first().waitFor();
  await Promise.all([click(player.page, 0), click(other, -1)]);
  await expect.poll(() => plies(other), { timeout: 20_000 }).toBe(1);
  await expect.poll(() => plies(player.page), { timeout: 20_000 }).toBe(1);
  expect(await counts(other)).toEqual(await counts(player.page));
  // The two at one device agree by talking: what one offers is done.
  await other.getByRole('button', { name: 'Take back' }).click();
  await expect.poll(() => plies(player.page), { timeout: 20_000 }).toBe(0);
  expect(await other.locator('.fault').count()).toBe(0);
  await player.context.close();
});

it('a move made without a line is sent when it is there again', async () => {
  const south = await visitor(browser, site);
  const north = await visitor(browser, site);
  const address = await invite(south.page, 'First');
  await north.page.goto(address);
  await north.page.getByRole('button', { name: 'Sit down' }).click();
  await south.page.locator('oware-board .cell.playable').first().waitFor();
  await south.context.setOffline(true);
  await south.page.evaluate(() => dispatchEvent(new Event('online')));
  await south.page.locator('oware-board .cell.playable').first().click();
  await south.page.getByText('Your move is waiting to be sent').waitFor({ timeout: 30_000 });
  expect(await plies(north.page)).toBe(0);
  await south.context.setOffline(false);
  await expect.poll(() => plies(north.page), { timeout: 20_000 }).toBe(1);
  expect(await counts(north.page)).toEqual(await counts(south.page));
  await south.context.close();
  await north.context.close();
});
