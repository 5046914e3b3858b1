// People with a browser each, and what is true of every visit: the browser complains of nothing.

import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { PATIENCE_MS } from './patience';
import type { Site } from './site';
import { read } from './texts';

let connected: Promise<Browser> | null = null;

/** The browser that all files share. */
export function browser(): Promise<Browser> {
  connected ??= chromium.connect(inject('browser'));
  return connected;
}

export interface Visitor {
  language?: 'en' | 'fr' | 'ja';
  width?: number;
  height?: number;
  dark?: boolean;
  /** What is chosen in the page's settings; seeds move at once unless it says otherwise. */
  settings?: Record<string, unknown>;
  /** Somebody's session, to be signed in with. */
  session?: NonNullable<BrowserContextOptions['storageState']>;
  /** Faults that the test itself brings about. */
  expects?: RegExp;
}

export interface Visit {
  context: BrowserContext;
  page: Page;
}

/** Collects what goes wrong on a page: errors, refusals by the policy, answers that failed. */
function listen(page: Page, complain: (text: string) => void): void {
  page.on('pageerror', (error) => complain(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') complain(`console: ${message.text()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complain(`${response.status()}: ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // A page that is left drops what it had asked for.
    if (why !== 'net::ERR_ABORTED') complain(`failed: ${request.url()} ${why}`);
  });
}

/**
 * Somebody with a browser of their own, which is closed after the test; whatever it complained
 * of then fails the test.
 */
export async function visit(site: Site, who: Visitor = {}): Promise<Visit> {
  const context = await (
    await browser()
  ).newContext({
    baseURL: site.address,
    locale: who.language ?? 'en',
    colorScheme: who.dark ? 'dark' : 'light',
    viewport: { width: who.width ?? 1280, height: who.height ?? 800 },
    ...(who.session ? { storageState: who.session } : {}),
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const settings = JSON.stringify({ speed: 'off', ...who.settings });
  await context.addInitScript((text) => {
    // An empty page, which every tab begins with, keeps nothing.
    if (!location.protocol.startsWith('http')) return;
    if (localStorage.getItem('oware.settings') === null) {
      localStorage.setItem('oware.settings', text);
    }
    // Level 1 makes short games that either may win.
    if (localStorage.getItem('oware.computer') === null) {
      localStorage.setItem('oware.computer', JSON.stringify({ level: 1 }));
    }
  }, settings);
  const complaints: string[] = [];
  context.on('page', (page) => listen(page, (text) => complaints.push(text)));
  const page = await context.newPage();
  onTestFinished(async () => {
    await context.close();
    const { expects } = who;
    expect(complaints.filter((text) => !expects?.test(text))).toEqual([]);
  });
  return { context, page };
}

/** What a page says where it has not yet heard what to show. */
const LOADING = ['en', 'fr', 'ja'].map((language) => read(language).get('loading') ?? '');

/** Waits until a page is there and quiet. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  const waits = async (): Promise<string | null> => {
    const text = await page.locator('main').textContent();
    return LOADING.find((words) => words === '' || text?.includes(words)) ?? null;
  };
  await expect.poll(waits).toBeNull();
}

/**
 * How much has been shifted on a page since it was opened, as browsers count it: what follows at
 * once on an input was asked for.
 */
export function shifted(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
            if (!shift.hadRecentInput) sum += shift.value;
          }
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        // What is buffered is handed over with the next frame.
        requestAnimationFrame(() => setTimeout(() => resolve(sum), 50));
      }),
  );
}
