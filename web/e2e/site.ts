// The real program and a real browser, for tests. The program's place is `OWARE_BIN`, else where
// cargo puts it; the browser's is `CHROMIUM`, else where Debian puts it.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const root = join(import.meta.dirname, '..', '..');

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function binary(): string {
  const target = process.env['CARGO_TARGET_DIR'] ?? join(root, 'target');
  const places = [
    process.env['OWARE_BIN'],
    join(target, 'release', 'oware'),
    join(target, 'debug', 'oware'),
  ];
  const found = places.find((place) => place !== undefined && existsSync(place));
  if (found === undefined) throw new Error('there is no program to test: cargo build -p oware-cli');
  return found;
}

export interface Site {
  address: string;
  stop(): Promise<void>;
}

/** Starts the site in a folder of its own, with a computer that answers at once. */
export async function startSite(options: string[] = []): Promise<Site> {
  const data = mkdtempSync(join(tmpdir(), 'oware-e2e-'));
  const child: ChildProcess = spawn(
    binary(),
    [
      ...['serve', '--listen', '127.0.0.1:0', '--data', data],
      ...['--table-seeds', '0', '--think-ms', '20-60', ...options],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      const found = /http:\/\/[\d.:]+/.exec(said);
      if (found) resolve(found[0]);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('exit', (code) => reject(new Error(`the site ended with ${code}: ${said}`)));
  });
  return {
    address,
    async stop() {
      child.removeAllListeners('exit');
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 8000);
      await gone;
      clearTimeout(timer);
      rmSync(data, { recursive: true, force: true });
    },
  };
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: FLAGS,
  });
}

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** What the browser complained of: it should be nothing. */
  complaints: string[];
}

export interface Visitor {
  language?: string;
  width?: number;
  height?: number;
  dark?: boolean;
  settings?: Record<string, unknown>;
}

/** Somebody with a browser of their own. Seeds move at once unless `settings` says otherwise. */
export async function visitor(browser: Browser, site: Site, who: Visitor = {}): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: site.address,
    locale: who.language ?? 'en',
    colorScheme: who.dark ? 'dark' : 'light',
    viewport: { width: who.width ?? 1280, height: who.height ?? 800 },
  });
  const settings = JSON.stringify({ speed: 'off', ...who.settings });
  await context.addInitScript((text) => {
    if (localStorage.getItem('oware.settings') === null) {
      localStorage.setItem('oware.settings', text);
    }
  }, settings);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { context, page, complaints };
}

/** What the board says lies on it: A..F, a..f, and the stores. */
export function counts(page: Page): Promise<{ houses: number[]; stores: number[] }> {
  return page.evaluate(() => {
    const board = document.querySelector('oware-board') as unknown as {
      counts(): { houses: number[]; stores: number[] };
    };
    return board.counts();
  });
}

export async function seeds(page: Page): Promise<number> {
  const { houses, stores } = await counts(page);
  return [...houses, ...stores].reduce((sum, n) => sum + n, 0);
}
