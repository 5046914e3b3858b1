// Somebody between a page and the site, who sees every frame of the line and decides what becomes
// of it.

import type { Page, WebSocketRoute } from 'playwright-core';

export type Way = 'up' | 'down';
/**
 * What is done with a frame: passed on so often, at once, after some milliseconds or after
 * something else.
 */
export type Fate = { times: number; after?: number | Promise<void> };

export interface Bad {
  /** Decides on each frame; nothing means that it passes. */
  fate: ((way: Way, frame: string) => Fate | undefined) | null;
  /** The sockets opened so far. */
  sockets: WebSocketRoute[];
}

/** Puts somebody between a page and the site. Call before the page is opened. */
export async function between(page: Page): Promise<Bad> {
  const bad: Bad = { fate: null, sockets: [] };
  await page.routeWebSocket('**/api/v1/socket', (near) => {
    const far = near.connectToServer();
    bad.sockets.push(near);
    const pass = (way: Way, to: WebSocketRoute) => (frame: string | Buffer) => {
      const { times, after } = bad.fate?.(way, String(frame)) ?? { times: 1 };
      const send = (): void => {
        for (let n = 0; n < times; n += 1) to.send(frame);
      };
      if (after === undefined) send();
      else if (typeof after === 'number') setTimeout(send, after);
      else void after.then(send);
    };
    near.onMessage(pass('up', far));
    far.onMessage(pass('down', near));
  });
  return bad;
}

/** Whether a frame of a page is a move. */
export const isMove = (frame: string): boolean => frame.includes('"action":"move"');
