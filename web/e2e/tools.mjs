// What the scripts beside the tests share: the harness is TypeScript, which Vite can load.

import { chromium } from 'playwright-core';
import { runnerImport } from 'vite';

const here = import.meta.dirname;

/** Runs `work` with a furnished site and a browser, and ends both whatever happens. */
export async function withSite(work) {
  const load = async (file) => (await runnerImport(`${here}/${file}`)).module;
  const [{ Site }, { furnish }, { FLAGS, program }] = await Promise.all([
    load('site.ts'),
    load('furnish.ts'),
    load('browser.ts'),
  ]);
  const site = await Site.start();
  const browser = await chromium.launch({
    executablePath: program('OWARE_BROWSER'),
    args: FLAGS,
  });
  try {
    await work({ site, browser, furnished: await furnish(site) });
  } finally {
    await browser.close();
    await site.stop();
  }
}

/** Waits until a page is there and quiet. */
export async function settled(page) {
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
}
