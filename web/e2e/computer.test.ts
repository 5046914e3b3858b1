// The first page: whole games against the computer by mouse, by keys alone, and through the
// accessibility tree; and what a hasty or forgetful person does there.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { between, isMove } from './between';
import { Site } from './site';
import { agrees, counts, over, PLAYABLE, playFirst, plies, turn } from './table';
import { shifted, visit, type Visitor } from './visit';

let site: Site;

beforeAll(async () => {
  site = await Site.start();
});

afterAll(() => site?.stop());

async function open(who: Visitor = {}): Promise<Page> {
  const { page } = await visit(site, who);
  await page.goto('/');
  await page.locator(PLAYABLE).first().waitFor();
  return page;
}

/** Plays to the end; `play` makes one move. The board and the server agree after each. */
async function wholeGame(page: Page, play: () => Promise<void>): Promise<void> {
  for (let moves = 0; await turn(page); moves += 1) {
    expect(moves).toBeLessThan(200);
    const before = await plies(page);
    await play();
    // The move and its answer, or the end.
    await expect
      .poll(async () => (await plies(page)) >= before + 2 || (await over(page)))
      .toBe(true);
    await agrees(page);
  }
  const { status, state } = await agrees(page);
  expect(status).toBe('over');
  expect(state.ending).not.toBeNull();
}

describe('a whole game against the computer', () => {
  it('by mouse', async () => {
    const page = await open();
    await wholeGame(page, () => playFirst(page));
    expect(await plies(page)).toBeGreaterThan(10);
    await expect.poll(() => page.locator('.explain .why').first().textContent()).not.toBe('');
    await page.getByRole('button', { name: 'Play again' }).click();
    await expect
      .poll(async () => (await counts(page)).houses)
      .toEqual(new Array<number>(12).fill(4));
    await page.locator(PLAYABLE).first().waitFor();
  });

  it('by keys alone', async () => {
    const page = await open();
    const onBoard = (): Promise<boolean> =>
      page.evaluate(() => document.activeElement?.tagName === 'OWARE-BOARD');
    for (let n = 0; n < 40 && !(await onBoard()); n += 1) await page.keyboard.press('Tab');
    expect(await onBoard()).toBe(true);
    let moves = 0;
    await wholeGame(page, async () => {
      const house = await page.locator(PLAYABLE).last().getAttribute('data-house');
      const number = 'ABCDEF'.indexOf(house ?? '') + 1;
      moves += 1;
      if (moves % 2 === 0) return page.keyboard.press(String(number));
      // The other way: from the first house of the row by arrows.
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Home');
      for (let at = 1; at < number; at += 1) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
    });
    expect(await onBoard()).toBe(true);
  });

  it('through the accessibility tree, with one sentence for each move', async () => {
    const page = await open();
    const sentences: string[] = [];
    await page.exposeFunction('heard', (text: string) => sentences.push(text));
    await page.evaluate(() => {
      const { heard } = window as unknown as { heard(text: string): void };
      const shadow = document.querySelector('oware-board')?.shadowRoot;
      const spoken = '[aria-live], [role=status], [role=alert]';
      const listen = (root: Node): void => {
        new MutationObserver((records) => {
          // What is spoken is a region's text after it has changed, once for each change.
          const regions = new Set<Element>();
          for (const { target } of records) {
            const element = target instanceof Element ? target : target.parentElement;
            const region = element?.closest(spoken);
            if (region) regions.add(region);
          }
          for (const region of regions) if (region.textContent) heard(region.textContent);
        }).observe(root, { childList: true, characterData: true, subtree: true });
      };
      listen(document.body);
      if (shadow) listen(shadow);
    });
    const board = page.getByRole('grid', { name: 'Oware board' });
    await expect.poll(() => board.getByRole('row').count()).toBe(2);
    await expect.poll(() => board.getByRole('gridcell').count()).toBe(12);
    await wholeGame(page, () =>
      board
        .getByRole('gridcell', { name: /can play/ })
        .first()
        .press('Enter'),
    );
    const all = await plies(page);
    await expect.poll(() => sentences.length).toBeGreaterThanOrEqual(all);
    expect(sentences).toHaveLength(all);
    expect(sentences[0]).toMatch(/^You played house \d, \d seeds, ending in .*\.$/);
    expect(sentences[1]).toMatch(/^Opponent played house/);
    expect(sentences.at(-1)).toMatch(/the game is over\.$/);
  });
});

describe('at the board', () => {
  it('two clicks within 30 ms are one move', async () => {
    const { page } = await visit(site);
    const line = await between(page);
    await page.goto('/');
    await page.locator(PLAYABLE).first().waitFor();
    const posted: string[] = [];
    // The answer is held back until all has been clicked: after it, a click is the next move.
    let release = (): void => {};
    const clicked = new Promise<void>((resolve) => (release = resolve));
    line.fate = (way, frame) => {
      if (way === 'down') return { times: 1, after: clicked };
      if (isMove(frame)) posted.push(frame);
      return undefined;
    };
    await page.evaluate((playable) => {
      const [host, inside] = playable.split(' ');
      const cells = document
        .querySelector(host ?? '')
        ?.shadowRoot?.querySelectorAll<HTMLElement>(inside ?? '');
      cells?.[0]?.click();
      setTimeout(() => cells?.[0]?.click(), 10);
      return new Promise<void>((resolve) => {
        setTimeout(() => resolve(cells?.[1]?.click()), 30);
      });
    }, PLAYABLE);
    release();
    await expect.poll(() => plies(page)).toBe(2);
    expect((await agrees(page)).plies).toHaveLength(2);
    // The second move can be played at once: nothing is left over of the other clicks.
    await playFirst(page);
    await expect.poll(() => plies(page)).toBe(4);
    expect((await agrees(page)).plies).toHaveLength(4);
    const ids = posted.map((frame) => (JSON.parse(frame) as { id: string }).id);
    expect(new Set(ids).size).toBe(2);
  });

  it('a reload goes on where it was, and moves can be taken back', async () => {
    const page = await open();
    await playFirst(page);
    await expect.poll(() => plies(page)).toBe(2);
    const before = await agrees(page);
    await page.reload();
    await page.locator(PLAYABLE).first().waitFor();
    expect(await agrees(page)).toMatchObject({ id: before.id, seq: before.seq });
    await page.getByRole('button', { name: 'Take back' }).click();
    await expect.poll(() => plies(page)).toBe(0);
    await page.locator(PLAYABLE).first().waitFor();
    await agrees(page);
  });

  it('whoever plays second waits for the computer', async () => {
    const page = await open();
    await page.getByRole('radio', { name: 'Second' }).check();
    await page.getByRole('button', { name: 'Start the game' }).click();
    // The house could be played before, too, in the game that was not begun.
    await expect.poll(() => plies(page)).toBe(1);
    await page.getByRole('gridcell', { name: /^your house 1, .*can play/ }).waitFor();
    const { you, plies: played } = await agrees(page);
    expect(you).toEqual(['north']);
    expect(played).toHaveLength(1);
  });

  it('seeds that fall do not keep anybody waiting, and lie right in the end', async () => {
    const page = await open({ settings: { speed: 'slow' } });
    for (let moves = 0; moves < 3; moves += 1) {
      // A click ends what is in motion, and then counts as a click.
      await playFirst(page);
      await expect.poll(() => plies(page)).toBe(2 * moves + 2);
      await page.locator(PLAYABLE).first().waitFor();
    }
    await agrees(page);
  });

  it('nothing moves but the counts where motion is not wished', async () => {
    const { page } = await visit(site, { settings: { speed: 'slow' } });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    await page.locator(PLAYABLE).first().waitFor();
    await playFirst(page);
    await expect.poll(() => plies(page)).toBe(2);
    const moving = await page.evaluate(
      () =>
        document
          .querySelector('oware-board')
          ?.shadowRoot?.getAnimations()
          .filter((animation) => animation.playState === 'running').length,
    );
    expect(moving).toBe(0);
    await agrees(page);
  });

  it.each([
    ['phone', 390, 844],
    ['desk', 1280, 800],
  ])('nothing on the page is shifted while it loads and a game is played: %s', async (...size) => {
    const [, width, height] = size;
    const { page } = await visit(site, { width, height, settings: { speed: 'fast' } });
    await page.goto('/');
    for (let moves = 0; moves < 4 && (await turn(page)); moves += 1) {
      const before = await plies(page);
      await playFirst(page);
      await expect
        .poll(async () => (await plies(page)) >= before + 2 || (await over(page)))
        .toBe(true);
    }
    expect(await shifted(page)).toBeLessThan(0.02);
  });
});
