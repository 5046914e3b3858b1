// How fast the first page is: `npm run measure [-- TIMES]`. A fresh browser opens it on a slow phone
// and at a desk, five times if nothing else is said; the medians are printed. All times are the
// browser's own. Needs OWARE_BIN and OWARE_BROWSER, as the tests do.

import { withSite } from './tools.mjs';

const RUNS = Number(process.argv[2] ?? 5);
if (!Number.isInteger(RUNS) || RUNS < 1) {
  console.error('npm run measure [-- TIMES]: TIMES is a number from 1');
  process.exit(2);
}

/** Slowdown of the processor, and the line in bits a second and milliseconds there and back. */
const PLACES = {
  phone: { width: 360, height: 740, cpu: 4, bits: 1_600_000, trip: 150, touch: true },
  desk: { width: 1280, height: 800, cpu: 1, bits: 40_000_000, trip: 10, touch: false },
};

/** Runs in the page before anything else of it. */
function watch() {
  const seen = { shift: 0, largest: 0, long: 0, playable: 0 };
  Object.assign(window, { seen });
  const observe = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({
      type,
      buffered: true,
    });
  observe('layout-shift', (entry) => {
    if (!entry.hadRecentInput) seen.shift += entry.value;
  });
  observe('largest-contentful-paint', (entry) => (seen.largest = entry.startTime));
  // Blocking is what a task takes beyond 50 ms.
  observe('longtask', (entry) => (seen.long += entry.duration - 50));
  const look = () => {
    const board = document.querySelector('oware-board')?.shadowRoot;
    if (board?.querySelector('.cell.playable')) seen.playable = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function once(browser, site, place) {
  const context = await browser.newContext({
    baseURL: site.address,
    locale: 'en',
    viewport: { width: place.width, height: place.height },
    hasTouch: place.touch,
    isMobile: place.touch,
  });
  // On a busy machine everything still comes to an end, and the figures show that it was busy.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.addInitScript(watch);
  const session = await context.newCDPSession(page);
  const found = { bytes: 0, fonts: 0, requests: 0 };
  const fonts = new Set();
  await session.send('Network.enable');
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Font') fonts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    found[fonts.has(requestId) ? 'fonts' : 'bytes'] += encodedDataLength;
    found.requests += 1;
  });
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: place.trip,
    downloadThroughput: place.bits / 8,
    uploadThroughput: place.bits / 8,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: place.cpu });
  await page.goto('/');
  await page.waitForFunction(() => window.seen.playable > 0);
  await page.waitForLoadState('networkidle');
  const seen = await page.evaluate(() => ({
    ...window.seen,
    first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  }));
  await context.close();
  return { ...found, ...seen };
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const ROWS = [
  ['bytes of the first load, without fonts', (run) => run.bytes, 0],
  ['bytes of fonts', (run) => run.fonts, 0],
  ['requests', (run) => run.requests, 0],
  ['first contentful paint, ms', (run) => run.first, 0],
  ['largest contentful paint, ms', (run) => run.largest, 0],
  ['board can be played, ms', (run) => run.playable, 0],
  ['total blocking time, ms', (run) => run.long, 0],
  ['layout shift', (run) => run.shift, 4],
];

await withSite(async ({ site, browser }) => {
  const runs = {};
  for (const [name, place] of Object.entries(PLACES)) {
    runs[name] = [];
    for (let n = 0; n < RUNS; n += 1) runs[name].push(await once(browser, site, place));
  }
  const names = Object.keys(PLACES);
  console.log(`| median of ${RUNS} | ${names.join(' | ')} |`);
  console.log(`|---|${names.map(() => '---:|').join('')}`);
  for (const [title, of, digits] of ROWS) {
    const cells = names.map((name) => median(runs[name].map(of)).toFixed(digits));
    console.log(`| ${title} | ${cells.join(' | ')} |`);
  }
});
