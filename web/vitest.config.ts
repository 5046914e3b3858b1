import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  resolve: { conditions: ['browser'] },
  test: {
    environment: 'jsdom',
    // Animations take their time, and a machine may be busy with others.
    testTimeout: 30_000,
    reporters: ['default', 'test/failed.ts'],
    include: ['test/**/*.test.ts', 'board/test/**/*.test.ts', 'src/**/*.test.ts'],
  },
});
