// One browser for all test files: it is started before them, and each file connects to it.

import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { PATIENCE_MS } from './patience';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser listens. */
    browser: string;
  }
}

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages behind others must not be put to sleep: several people play at the same time.
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
];

/** A program that the tests need; `cargo xtask web e2e` builds or installs it and names it. */
export function program(variable: 'OWARE_BIN' | 'OWARE_BROWSER'): string {
  const path = process.env[variable];
  if (!path) throw new Error(`${variable} is not set: run \`cargo xtask web e2e\``);
  return path;
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({
    executablePath: program('OWARE_BROWSER'),
    args: FLAGS,
    timeout: PATIENCE_MS,
  });
  provide('browser', server.wsEndpoint());
  return () => server.close();
}
