// Ways through the site: every page is reached by links, back and forward lead where they should,
// any address can be opened by itself, and one that leads nowhere says so.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { furnish, type Furnished } from './furnish';
import { Site } from './site';
import { agrees, PLAYABLE, playFirst, plies } from './table';
import { settled, visit } from './visit';

let site: Site;
let furnished: Furnished;

beforeAll(async () => {
  site = await Site.start();
  furnished = await furnish(site);
});

afterAll(() => site?.stop());

/** The kind of page an address is: games, puzzles and players are one kind each. */
function kind(path: string): string {
  const [first = '', ...rest] = path.split(/[?#]/)[0]?.split('/').filter(Boolean) ?? [];
  return rest.length > 0 ? `${first}/*` : first;
}

it('every page is reached by links from the first, and no link leads nowhere', async () => {
  const { page } = await visit(site, { session: furnished.session });
  const queue = ['/'];
  const seen = new Map<string, string>();
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (seen.has(kind(path))) continue;
    await page.goto(path);
    await settled(page);
    seen.set(kind(path), path);
    const title = await page.title();
    expect(title, path).not.toContain('Nothing here');
    const links = await page
      .locator('a[href^="/"]:not([href^="/api/"])')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    queue.push(...links);
  }
  expect([...seen.keys()].sort()).toEqual(
    [
      ...['', 'friend', 'lobby', 'game/*', 'correspondence', 'analysis', 'learn', 'learn/*'],
      ...['puzzles', 'puzzles/*', 'player/*', 'leaders', 'settings', 'about', 'sign-in'],
    ].sort(),
  );
});

it('back and forward lead through pages without loading the document again', async () => {
  const { page } = await visit(site);
  await page.goto('/');
  await page.locator(PLAYABLE).first().waitFor();
  await page.evaluate(() => Object.assign(window, { stays: true }));
  const way = [
    ['Friend', '/friend', 'Play a friend'],
    ['Lobby', '/lobby', 'Lobby'],
    ['Puzzles', '/puzzles', 'Puzzles'],
  ] as const;
  const at = async (path: string, title: string): Promise<void> => {
    await page.waitForURL((url) => url.pathname === path);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await expect.poll(() => page.title()).toBe(`${title} · Oware`);
  };
  for (const [link, path, title] of way) {
    await page.getByRole('navigation').getByRole('link', { name: link, exact: true }).click();
    await at(path, title);
    const current = page.locator('nav [aria-current=page]');
    await expect.poll(() => current.textContent()).toContain(link);
  }
  await page.goBack();
  await at('/lobby', 'Lobby');
  await page.goBack();
  await at('/friend', 'Play a friend');
  await page.goForward();
  await at('/lobby', 'Lobby');
  await page.goBack();
  await page.goBack();
  await at('/', 'Play the computer');
  expect(await page.evaluate(() => 'stays' in window)).toBe(true);
});

it('a game against the computer waits while one looks at other pages', async () => {
  const { page } = await visit(site);
  await page.goto('/');
  await playFirst(page);
  await expect.poll(() => plies(page)).toBe(2);
  await page.getByRole('navigation').getByRole('link', { name: 'Learn', exact: true }).click();
  await page.waitForURL('**/learn');
  await page.goBack();
  await page.locator(PLAYABLE).first().waitFor();
  expect((await agrees(page)).plies).toHaveLength(2);
});

it('an address that leads nowhere says so, and leads home', async () => {
  const { page } = await visit(site);
  await page.goto('/nowhere/at/all?x=1#y');
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  await page.getByRole('link', { name: 'Play a game instead' }).click();
  await page.locator(PLAYABLE).first().waitFor();
});

it('a file that is not there is no page', async () => {
  const { page } = await visit(site);
  const answer = await page.request.get('/assets/Page-00000000.js');
  expect(answer.status()).toBe(404);
  expect(answer.headers()['content-type']).not.toContain('html');
});

it('the menu of a phone opens, leads on, and closes', async () => {
  const { page } = await visit(site, { width: 360, height: 740 });
  await page.goto('/');
  const menu = page.getByRole('button', { name: 'Menu' });
  const lobby = page.getByRole('link', { name: 'Lobby', exact: true });
  await menu.waitFor();
  expect(await lobby.isVisible()).toBe(false);
  await menu.click();
  await lobby.click();
  await page.getByRole('heading', { level: 1, name: 'Lobby' }).waitFor();
  await lobby.waitFor({ state: 'hidden' });
  await menu.click();
  await lobby.waitFor();
  await page.keyboard.press('Escape');
  await lobby.waitFor({ state: 'hidden' });
});

it('the language is changed at once, on the page that is shown, and stays', async () => {
  const { page } = await visit(site);
  await page.goto('/friend');
  await page.getByRole('heading', { level: 1, name: 'Play a friend' }).waitFor();
  await page.getByRole('button', { name: '日本語' }).click();
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('ja');
  const heading = (): Promise<string | null> =>
    page.getByRole('heading', { level: 1 }).textContent();
  await expect.poll(heading).toMatch(/[ぁ-ん]/);
  await page.reload();
  await settled(page);
  await expect.poll(heading).toMatch(/[ぁ-ん]/);
  await page.getByRole('button', { name: 'Français' }).click();
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('fr');
});

it('somebody who skips to the content by keys is there', async () => {
  const { page } = await visit(site);
  await page.goto('/about');
  await settled(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
});
