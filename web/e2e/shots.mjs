// Pictures of every page in every language, on a phone and at a desk, and of some in dark, into a
// folder: `npm run shots -- DIR [PAGE...]`. For looking at; nothing is compared. Needs OWARE_BIN and
// OWARE_BROWSER, as the tests do.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { settled, withSite } from './tools.mjs';

const SIZES = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 800 } };
const LANGUAGES = ['en', 'fr', 'ja'];
/** Pages that are also shown in dark. */
const DARK = ['computer', 'game-over', 'analysis-of-game', 'lobby', 'settings', 'learn'];

const [folder, ...only] = process.argv.slice(2);
if (folder === undefined) {
  console.error('npm run shots -- DIR [PAGE...]: DIR is where the pictures go');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });

async function shoot({ site, browser, furnished }, size, language, dark) {
  const context = await browser.newContext({
    baseURL: site.address,
    locale: language,
    colorScheme: dark ? 'dark' : 'light',
    viewport: SIZES[size],
    isMobile: size === 'phone',
    hasTouch: size === 'phone',
    storageState: furnished.session,
  });
  const page = await context.newPage();
  for (const [name, path] of Object.entries(furnished.pages)) {
    if (only.length > 0 && !only.includes(name)) continue;
    if (dark && only.length === 0 && !DARK.includes(name)) continue;
    await page.goto(path);
    await settled(page);
    const file = [name, size, language, ...(dark ? ['dark'] : [])].join('-');
    await page.screenshot({ path: join(folder, `${file}.png`), fullPage: true });
    console.log(file);
  }
  await context.close();
}

await withSite(async (stage) => {
  for (const size of Object.keys(SIZES)) {
    for (const language of LANGUAGES) await shoot(stage, size, language, false);
    await shoot(stage, size, 'en', true);
  }
});
