// Two people who play each other.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Site } from './site';
import { PLAYABLE, playFirst, plies, turn } from './table';
import { visit, type Visit, type Visitor } from './visit';

/** The kind of time that must be chosen before a time can be. */
function kindOf(choice: string): string | null {
  if (choice.includes(' min + ')) return 'Clock';
  return choice.endsWith(' a move') ? 'By days' : null;
}

/** Makes a game by link with some choices; says its address. */
export async function invite(page: Page, ...choices: string[]): Promise<string> {
  await page.goto('/friend');
  const all = choices.flatMap((choice) => [kindOf(choice), choice]);
  for (const name of all.filter((one) => one !== null))
    await page.getByRole('radio', { name, exact: true }).check();
  await page.getByRole('button', { name: 'Make a link' }).click();
  await page.waitForURL(/\/game\//);
  return page.getByLabel('Link to this game').inputValue();
}

export async function sitDown(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: 'Sit down' }).click();
}

/** Plays a move for whoever's turn it is, and waits until all have seen it; false at the end. */
export async function playOne(mover: Page, others: Page[], ply: number): Promise<boolean> {
  if (!(await turn(mover))) return false;
  await playFirst(mover);
  for (const page of [mover, ...others]) await expect.poll(() => plies(page)).toBe(ply);
  return true;
}

/** Brings two together at a game by link that the first begins; says its address. */
export async function meet(south: Page, north: Page, ...choices: string[]): Promise<string> {
  const address = await invite(south, ...choices, 'First');
  await sitDown(north, address);
  await south.locator(PLAYABLE).first().waitFor();
  return address;
}

export interface Pair {
  south: Page;
  north: Page;
  address: string;
  visits: { south: Visit; north: Visit };
}

/** Two who have just sat down; South at a desk, North with a phone. */
export async function pair(site: Site, choices: string[], who: Visitor = {}): Promise<Pair> {
  const south = await visit(site, who);
  const north = await visit(site, { width: 390, height: 844, ...who });
  const address = await meet(south.page, north.page, ...choices);
  return { south: south.page, north: north.page, address, visits: { south, north } };
}
