// Accounts: made from what one has played, left, entered again, ended elsewhere, and deleted.
// And games by days, which ask before a move.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Site } from './site';
import { PLAYABLE, plies } from './table';
import { visit } from './visit';

let site: Site;

beforeAll(async () => {
  site = await Site.start();
});

afterAll(() => site?.stop());

const PASSWORD = 'six houses a side';

async function signUp(page: Page, name: string): Promise<void> {
  await page.goto('/sign-in');
  await page.getByRole('radio', { name: 'I am new' }).check();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Make an account' }).click();
  await page.waitForURL(`**/player/${name}`);
}

async function signIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

it('an account keeps the games from before, and can be left and entered', async () => {
  // The wrong password is the test's own.
  const { page } = await visit(site, { expects: /403/ });
  await page.goto('/');
  await page.locator(PLAYABLE).first().click();
  await expect.poll(() => plies(page)).toBe(2);
  await signUp(page, 'Ama');
  await page.getByText('against Computer, level 1').waitFor();
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await signIn(page, 'Ama', 'not the password');
  await page.getByText('Name or password are wrong.').waitFor();
  await signIn(page, 'Ama');
  await page.waitForURL('**/player/Ama');
});

it('a session that is ended elsewhere closes its pages at once', async () => {
  const one = await visit(site);
  const two = await visit(site);
  await signUp(one.page, 'Kofi');
  await signIn(two.page, 'Kofi');
  await two.page.waitForURL('**/player/Kofi');
  await two.page.goto('/lobby');
  await two.page.getByText('Nobody is waiting').waitFor();
  await one.page.goto('/sign-in');
  await one.page.getByRole('button', { name: 'End', exact: true }).click();
  await expect
    .poll(() => one.page.getByRole('button', { name: 'End', exact: true }).count())
    .toBe(0);
  await two.page.getByRole('link', { name: 'Sign in' }).waitFor({ timeout: 20_000 });
});

it('games by days wait in a list and ask before a move', async () => {
  const one = await visit(site);
  const two = await visit(site);
  await one.page.goto('/correspondence');
  await one.page.getByRole('radio', { name: 'First' }).check();
  await one.page.getByRole('button', { name: 'Wait for somebody' }).click();
  await one.page.waitForURL(/\/game\//);
  await two.page.goto(one.page.url());
  await two.page.getByRole('button', { name: 'Sit down' }).click();
  // The list is asked for when the page is opened: the game must have begun by then.
  await one.page.locator(PLAYABLE).first().waitFor();
  await one.page.goto('/correspondence');
  await one.page.getByRole('heading', { name: /Your turn/ }).waitFor();
  await one.page.getByRole('link', { name: /against North/ }).click();
  const house = one.page.locator(PLAYABLE).first();
  await house.click();
  const confirm = one.page.getByRole('button', { name: 'Play A' });
  await confirm.waitFor();
  expect(await plies(one.page)).toBe(0);
  await one.page.getByRole('button', { name: 'Cancel' }).click();
  await one.page.getByRole('button', { name: 'Choose a house' }).waitFor();
  await house.click();
  await confirm.click();
  await expect.poll(() => plies(two.page)).toBe(1);
});

it('an account can be deleted', async () => {
  const { page } = await visit(site, { expects: /403/ });
  await signUp(page, 'Yaa');
  await page.goto('/sign-in');
  await page.getByText('Delete the account').first().click();
  await page.locator('form').last().getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Delete the account' }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await signIn(page, 'Yaa');
  await page.getByText('Name or password are wrong.').waitFor();
});
