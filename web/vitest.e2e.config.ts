import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_MS } from './e2e/patience.ts';

// Tests in a real browser, against the real program, with patience. Much of their time is waiting,
// so that two files at once do not disturb each other on two cores.
export default defineConfig({
  test: {
    environment: 'node',
    include: ['e2e/**/*.test.ts'],
    globalSetup: 'e2e/browser.ts',
    reporters: ['default', 'test/failed.ts'],
    maxWorkers: 2,
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    // What fails for want of anything fails many times over, and each time after long waiting.
    bail: 10,
  },
});
