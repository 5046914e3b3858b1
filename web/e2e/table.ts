// At a table: what lies on the board, who may play, and what the server knows of it.

import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { GameView } from '../src/api/types';

export interface Counts {
  houses: number[];
  stores: number[];
}

/** A house of the board that may be played now. */
export const PLAYABLE = 'oware-board .cell.playable';

/** What the board says lies on it: A..F, a..f, and the stores. */
export function counts(page: Page): Promise<Counts> {
  return page.evaluate(() => {
    const board = document.querySelector('oware-board') as unknown as { counts(): Counts };
    return board.counts();
  });
}

/** The number of moves in the list. */
export function plies(page: Page): Promise<number> {
  return page.locator('[data-ply]').count();
}

export function over(page: Page): Promise<boolean> {
  return page.locator('.explain.over').isVisible();
}

/** Waits until a house can be played or the game is over; says whether it goes on. */
export async function turn(page: Page): Promise<boolean> {
  await page.locator(`.explain.over, ${PLAYABLE}`).first().waitFor();
  return !(await over(page));
}

/** Plays the first house that may be played, with the mouse. */
export function playFirst(page: Page): Promise<void> {
  return page.locator(PLAYABLE).first().click();
}

/** The game a page shows: by its address, or the one kept on the first page. */
async function gameOf(page: Page): Promise<string> {
  const inAddress = /\/game\/([^/?#]+)/.exec(page.url())?.[1];
  const id = inAddress ?? (await page.evaluate(() => localStorage.getItem('oware.computer.game')));
  if (!id) throw new Error('there is no game on this page');
  return id;
}

/** The game as the server knows it, asked by the page's own visitor. */
export async function known(page: Page): Promise<GameView> {
  const answer = await page.context().request.get(`/api/v1/games/${await gameOf(page)}`);
  expect(answer.status()).toBe(200);
  return (await answer.json()) as GameView;
}

/** Waits until the board shows what the server knows; all 48 seeds are there. */
export async function agrees(page: Page): Promise<GameView> {
  let view = await known(page);
  await expect
    .poll(async () => {
      view = await known(page);
      return {
        server: { plies: view.plies.length, houses: view.state.houses, stores: view.state.stores },
        board: { plies: await plies(page), ...(await counts(page)) },
      };
    })
    .toSatisfy(({ server, board }) => isDeepStrictEqual(board, server));
  const all = [...view.state.houses, ...view.state.stores].reduce((sum, n) => sum + n, 0);
  expect(all).toBe(48);
  return view;
}
