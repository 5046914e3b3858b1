// What goes wrong between a page and the site: frames that are lost, late, doubled or overtaken, a
// line that is cut, a server that is killed. No move is lost, and none is played twice.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { between, isMove, type Bad, type Fate, type Way } from './between';
import { meet, pair, playOne } from './pair';
import { Site } from './site';
import { agrees, known, PLAYABLE, playFirst, plies } from './table';
import { visit, type Visitor } from './visit';

let site: Site;

beforeAll(async () => {
  site = await Site.start();
});

afterAll(() => site?.stop());

/** What the browser says of a site that is not there. */
const AWAY: Visitor = { expects: /ERR_|WebSocket connection|failed: / };

const tells = (kind: 'ack' | 'event' | 'snapshot', frame: string): boolean =>
  (JSON.parse(frame) as { t: string }).t === kind;

/** The first frame of a kind, and no other. */
function first(which: (way: Way, frame: string) => boolean, fate: Fate) {
  let met = false;
  return (way: Way, frame: string): Fate | undefined => {
    if (met || !which(way, frame)) return undefined;
    met = true;
    return fate;
  };
}

describe('frames', () => {
  const LOST: Fate = { times: 0 };
  it.each<[string, () => Bad['fate']]>([
    ['a move is lost', () => first((way, frame) => way === 'up' && isMove(frame), LOST)],
    [
      'the acknowledgement is lost',
      () => first((way, frame) => way === 'down' && tells('ack', frame), LOST),
    ],
    [
      'the event is lost',
      () => first((way, frame) => way === 'down' && tells('event', frame), LOST),
    ],
    [
      'both answers are lost',
      () => {
        let left = 2;
        return (way, frame) =>
          way === 'down' && (tells('ack', frame) || tells('event', frame)) && left-- > 0
            ? LOST
            : undefined;
      },
    ],
    ['everything comes twice', () => () => ({ times: 2 })],
    ['everything comes late', () => () => ({ times: 1, after: 300 })],
    [
      'frames overtake each other',
      () => {
        let n = 0;
        return () => ({ times: 1, after: (n++ % 3) * 120 });
      },
    ],
  ])('%s', async (_, fate) => {
    const south = await visit(site);
    const north = await visit(site);
    const bad = await between(south.page);
    await meet(south.page, north.page, '5 min + 3 s');
    for (let ply = 1; ply <= 4; ply += 1) {
      // South's line is bad from the first move on; each lost frame is lost in one move of his.
      bad.fate = ply % 2 === 1 ? fate() : bad.fate;
      const [mover, other] = ply % 2 === 1 ? [south, north] : [north, south];
      await playOne(mover.page, [other.page], ply);
    }
    bad.fate = null;
    for (const { page } of [south, north]) expect((await agrees(page)).plies).toHaveLength(4);
    expect(await south.page.locator('[role=alert]').count()).toBe(0);
  });

  it('a line that is cut in the middle of a move takes the move along', async () => {
    const south = await visit(site, AWAY);
    const north = await visit(site);
    const bad = await between(south.page);
    await meet(south.page, north.page, '5 min + 3 s');
    // Cut when the move is on its way, when its answer is, and when the opponent's is.
    const cuts = [
      (way: Way, frame: string) => way === 'up' && isMove(frame),
      (way: Way, frame: string) => way === 'down' && tells('ack', frame),
      (way: Way, frame: string) => way === 'down' && tells('event', frame),
    ];
    let ply = 0;
    for (const cut of cuts) {
      const met = first(cut, { times: 0 });
      bad.fate = (way, frame) => {
        const fate = met(way, frame);
        if (fate) void bad.sockets.at(-1)?.close({ code: 1001 });
        return fate;
      };
      await playOne(south.page, [north.page], (ply += 1));
      await playOne(north.page, [south.page], (ply += 1));
    }
    expect(bad.sockets.length).toBeGreaterThanOrEqual(cuts.length + 1);
    bad.fate = null;
    for (const { page } of [south, north]) expect((await agrees(page)).plies).toHaveLength(ply);
  });
});

describe('tabs', () => {
  it('two tabs of one player show one game, and only one move is played', async () => {
    const { page, context } = await visit(site);
    const { page: opponent } = await visit(site);
    await meet(page, opponent, '10 min + 5 s');
    const other = await context.newPage();
    await other.goto(page.url());
    await other.locator(PLAYABLE).first().waitFor();
    // Clicked as it is, without waiting: whoever comes later may find nothing left to click.
    const click = (one: Page, which: number): Promise<void> =>
      one.evaluate((at) => {
        const root = document.querySelector('oware-board')?.shadowRoot;
        [...(root?.querySelectorAll<HTMLElement>('.cell.playable') ?? [])].at(at)?.click();
      }, which);
    await Promise.all([click(page, 0), click(other, -1)]);
    for (const one of [page, other, opponent]) {
      await expect.poll(() => plies(one)).toBe(1);
      await agrees(one);
    }
    await playOne(opponent, [page, other], 2);
    // The tab that came too late has its board back, and can play.
    await playOne(other, [page, opponent], 3);
    for (const one of [page, other]) expect((await agrees(one)).plies).toHaveLength(3);
  });

  it('a tab that is loaded again with a move on its way sends that move, and no other', async () => {
    const { page } = await visit(site, AWAY);
    const { page: opponent } = await visit(site);
    const bad = await between(page);
    await meet(page, opponent, '10 min + 5 s');
    bad.fate = (way, frame) => (way === 'up' && isMove(frame) ? { times: 0 } : undefined);
    const house = page.locator(PLAYABLE).nth(2);
    const name = await house.getAttribute('data-house');
    await house.click();
    await expect.poll(() => page.locator(PLAYABLE).count()).toBe(0);
    await page.reload();
    // It is shown as played, and nothing else can be played meanwhile.
    await page.locator('oware-board [data-house]').first().waitFor();
    await page.getByText('…', { exact: true }).waitFor();
    await expect.poll(() => page.locator(PLAYABLE).count()).toBe(0);
    bad.fate = null;
    await expect.poll(() => plies(opponent)).toBe(1);
    expect((await agrees(page)).plies.map((ply) => ply.trace.house)).toEqual([name]);
  });
});

describe('no line', () => {
  it('a move made without a line is sent when it is there again', async () => {
    const { south, north, visits } = await pair(site, ['10 min + 5 s'], AWAY);
    await visits.south.context.setOffline(true);
    await south.evaluate(() => dispatchEvent(new Event('online')));
    await playFirst(south);
    await south.getByText('Your move is waiting to be sent').waitFor();
    expect(await plies(north)).toBe(0);
    await visits.south.context.setOffline(false);
    await expect.poll(() => plies(north)).toBe(1);
    await agrees(south);
    await agrees(north);
    await playOne(north, [south], 2);
  });

  it('what was played while one was away is there when the line is', async () => {
    const { south, north, visits } = await pair(site, ['10 min + 5 s'], AWAY);
    await playOne(south, [north], 1);
    await visits.south.context.setOffline(true);
    await south.evaluate(() => dispatchEvent(new Event('online')));
    await south.getByText('Reconnecting').waitFor();
    await playOne(north, [], 2);
    await visits.south.context.setOffline(false);
    await expect.poll(() => plies(south)).toBe(2);
    await agrees(south);
    await playOne(south, [north], 3);
  });
});

describe('the server', () => {
  it('is killed and started again: games go on, and the clocks were stopped', async () => {
    const { south, north } = await pair(site, ['10 min + 5 s'], AWAY);
    for (let ply = 1; ply <= 4; ply += 1) {
      const [mover, other] = ply % 2 === 1 ? [south, north] : [north, south];
      await playOne(mover, [other], ply);
    }
    const before = await known(south);
    await site.kill();
    // A move in this moment is kept by the page.
    await playFirst(south);
    await south.getByText('Your move is waiting to be sent').waitFor();
    await site.again();
    await expect.poll(() => plies(north)).toBe(5);
    const after = await agrees(south);
    await agrees(north);
    expect(after.plies.slice(0, 4)).toEqual(before.plies);
    expect(after.log.some((event) => event.kind === 'clock_shifted')).toBe(true);
    await south.getByText('The site was away').first().waitFor();
    await playOne(north, [south], 6);
    await agrees(north);
  });

  it('is killed in the middle of a game against the computer, which goes on', async () => {
    const { page } = await visit(site, AWAY);
    await page.goto('/');
    await playFirst(page);
    await expect.poll(() => plies(page)).toBe(2);
    for (const moves of [2, 3]) {
      await site.kill();
      await playFirst(page);
      await site.again();
      await expect.poll(() => plies(page)).toBe(2 * moves);
      expect((await agrees(page)).plies).toHaveLength(2 * moves);
    }
  });

  it('is asked to end, says so, and is there again', async () => {
    const { south, north } = await pair(site, ['10 min + 5 s'], AWAY);
    await playOne(south, [north], 1);
    await site.quit();
    for (const page of [south, north]) await page.getByText('Reconnecting').waitFor();
    await site.again();
    for (const page of [south, north]) {
      await page.getByText('Reconnecting').waitFor({ state: 'hidden' });
    }
    await playOne(north, [south], 2);
    for (const page of [south, north]) await agrees(page);
  });
});
