// People who play each other, each in a browser of their own, and others who watch.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { fair } from './clocks';
import { pair, playOne } from './pair';
import { Site } from './site';
import { agrees, counts, known, PLAYABLE, playFirst, plies } from './table';
import { visit } from './visit';

let site: Site;

beforeAll(async () => {
  site = await Site.start();
});

afterAll(() => site?.stop());

it('a live game by link with clocks to the end, a third watching; then a rematch', async () => {
  const { south, north, address } = await pair(site, ['5 min + 3 s']);
  const { page: third } = await visit(site);
  await third.goto(address);
  await third.getByText('You are watching this game.').waitFor();
  await agrees(third);
  expect(await third.locator(PLAYABLE).count()).toBe(0);
  const all = [south, north, third];
  for (let ply = 1; ; ply += 1) {
    const [mover, other] = ply % 2 === 1 ? [south, north] : [north, south];
    if (!(await playOne(mover, [other, third], ply))) break;
    expect(ply).toBeLessThan(400);
    const view = await agrees(mover);
    const { houses, stores } = view.state;
    for (const page of [other, third]) {
      await expect.poll(() => counts(page)).toEqual({ houses, stores });
    }
    fair(view);
    // The clocks run from the second move on, one at a time, and everybody sees which.
    if (ply === 3) {
      for (const page of all) {
        await expect.poll(() => page.locator('.clock.running').count()).toBe(1);
      }
      expect(view.clock?.running).toBe('north');
    }
  }
  for (const page of all) await page.locator('.explain.over').waitFor();
  for (const page of all) await agrees(page);
  // A rematch is offered by one and accepted by the other, with the seats exchanged.
  await south.getByRole('button', { name: 'Rematch' }).click();
  await north.getByRole('button', { name: 'Accept the rematch' }).click();
  await south.waitForURL((url) => !address.endsWith(url.pathname));
  await north.waitForURL((url) => url.href === south.url());
  await north.getByText('Your turn').waitFor();
  expect((await known(north)).you).toEqual(['south']);
  await third.getByRole('link', { name: 'To the rematch' }).waitFor();
});

it('a match of two alternates who begins, and keeps the score', async () => {
  const { south: one, north: two } = await pair(site, ['Match of 2']);
  await playOne(one, [two], 1);
  await playOne(two, [one], 2);
  await one.getByRole('button', { name: 'Resign' }).click();
  await one.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  for (const page of [one, two]) {
    await page.getByRole('link', { name: 'Next game of the match' }).click();
    await page.getByText('Game 2 of 2').waitFor();
  }
  await two.getByText('Your turn').waitFor();
  const { match, you } = await known(two);
  expect(you).toEqual(['south']);
  expect(match).toMatchObject({ game: 2, games: 2, points: [1, 0] });
  await playOne(two, [one], 1);
  await playOne(one, [two], 2);
  await two.getByRole('button', { name: 'Offer a draw' }).click();
  await one.getByRole('button', { name: 'Accept' }).click();
  for (const page of [one, two]) await page.getByText('Both agreed on a draw.').waitFor();
  await one.getByRole('button', { name: 'Rematch' }).waitFor();
  expect(await one.getByRole('link', { name: 'Next game of the match' }).count()).toBe(0);
});

it('the lobby brings two together', async () => {
  const { page: guest } = await visit(site);
  const { page: host } = await visit(site);
  await guest.goto('/lobby');
  await guest.getByText('Nobody is waiting').waitFor();
  await host.goto('/lobby');
  await host.getByRole('radio', { name: 'First', exact: true }).check();
  await host.getByRole('button', { name: 'Wait for somebody' }).click();
  await host.waitForURL(/\/game\//);
  await guest.getByRole('button', { name: 'Sit down' }).click();
  await guest.waitForURL(/\/game\//);
  expect(guest.url()).toBe(host.url());
  for (const page of [host, guest]) {
    await expect.poll(() => page.getByRole('timer').count()).toBe(2);
  }
  await playOne(host, [guest], 1);
  await playOne(guest, [host], 2);
  await agrees(host);
});

it('a move is taken back when both wish it, and a draw is declined or withdrawn', async () => {
  const { south, north } = await pair(site, ['No clock']);
  await playOne(south, [north], 1);
  await south.getByRole('button', { name: 'Take back' }).click();
  await north.getByText('would like to take back a move').first().waitFor();
  await north.getByRole('button', { name: 'Accept' }).click();
  for (const page of [south, north]) {
    await expect.poll(() => plies(page)).toBe(0);
    await agrees(page);
  }
  await playOne(south, [north], 1);
  await playOne(north, [south], 2);
  await south.getByRole('button', { name: 'Offer a draw' }).click();
  await north.getByText('Your opponent offers a draw.').waitFor();
  await north.getByRole('button', { name: 'Decline' }).click();
  await south.getByText('No draw.').waitFor();
  await north.getByRole('button', { name: 'Offer a draw' }).click();
  await south.getByText('Your opponent offers a draw.').waitFor();
  await north.getByRole('button', { name: 'Withdraw' }).click();
  await south.getByText('Your opponent offers a draw.').waitFor({ state: 'detached' });
  // Who resigns is asked once more, and may think better of it.
  await south.getByRole('button', { name: 'Resign' }).click();
  await south.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await playOne(south, [north], 3);
  await north.getByRole('button', { name: 'Resign' }).click();
  await north.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  for (const page of [south, north]) await page.getByText('By resignation.').waitFor();
  expect((await known(south)).state.ending).toMatchObject({ winner: 'south' });
});

it('a loop is agreed on, and what is left is shared out', async () => {
  const { south, north } = await pair(site, ['No clock']);
  await playOne(south, [north], 1);
  await playOne(north, [south], 2);
  await north.getByRole('button', { name: 'Offer a loop' }).click();
  await south.getByRole('button', { name: 'Accept' }).click();
  for (const page of [south, north]) {
    await page.getByText('Both agreed that the game goes in circles.').waitFor();
    const { state } = await agrees(page);
    expect(state.ending?.score.reduce((sum, n) => sum + n, 0)).toBe(48);
  }
});

it('who is gone is seen to be away, and to have come back', async () => {
  const { south, north, address } = await pair(site, ['10 min + 5 s']);
  await playOne(south, [north], 1);
  await north.goto('/about');
  await south.locator('.bar').filter({ hasText: 'away' }).waitFor();
  await north.goto(address);
  await north.locator(PLAYABLE).first().waitFor();
  await south.locator('.bar').filter({ hasText: 'away' }).waitFor({ state: 'detached' });
  await playOne(north, [south], 2);
});

it('two at one device take turns, and each may be told to count the seeds', async () => {
  const { page } = await visit(site);
  await page.goto('/friend');
  await page.getByRole('radio', { name: 'At this device' }).check();
  await page.getByRole('checkbox', { name: /As on a wooden board/ }).check();
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.waitForURL(/\/game\//);
  for (const row of ['A', 'a', 'A', 'a']) {
    const before = await plies(page);
    // The row of whoever's turn it is can be played, and no other.
    const rows = async (): Promise<boolean[]> => {
      const names = await page
        .locator(PLAYABLE)
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-house') ?? ''));
      return [...new Set(names.map((name) => name >= 'a'))];
    };
    await expect.poll(rows).toEqual([row === 'a']);
    await playFirst(page);
    await expect.poll(() => plies(page)).toBe(before + 1);
    await agrees(page);
  }
  const numbers = await page
    .locator('oware-board .count')
    .evaluateAll((all) => all.map((one) => one.textContent).filter((text) => text !== ''));
  expect(numbers).toEqual([]);
});

it('a game by days asks before a move is made', async () => {
  const { south, north } = await pair(site, ['1 day a move']);
  await playFirst(south);
  const confirm = south.getByRole('button', { name: /^Play [A-F]$/ });
  await confirm.waitFor();
  expect(await plies(south)).toBe(0);
  await confirm.click();
  await expect.poll(() => plies(north)).toBe(1);
  await agrees(south);
  // Whose turn it is finds the game in the list.
  await north.goto('/correspondence');
  await north.getByText('Your turn').first().waitFor();
  await north.locator('a[href^="/game/"]').first().click();
  await north.locator(PLAYABLE).first().waitFor();
});
