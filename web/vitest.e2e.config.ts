import { defineConfig } from 'vitest/config';

// Tests in a real browser, against the real program, with patience. Much of their time is waiting,
// so that two files at once do not disturb each other on two cores.
export default defineConfig({
  test: {
    environment: 'node',
    include: ['e2e/**/*.test.ts'],
    globalSetup: 'e2e/browser.ts',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
