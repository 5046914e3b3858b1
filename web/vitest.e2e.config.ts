import { defineConfig } from 'vitest/config';

// Tests in a real browser, against the real program: one after the other, with patience.
export default defineConfig({
  test: {
    environment: 'node',
    include: ['e2e/**/*.test.ts'],
    globalSetup: 'e2e/browser.ts',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
