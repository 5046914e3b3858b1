import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

/** Where `oware serve` listens while the pages are worked on. */
const server = process.env['OWARE_SERVER'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    // The content security policy knows no `data:` but for pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    // The server compares the origin of what changes something with its own.
    proxy: {
      '/api': {
        target: server,
        ws: true,
        changeOrigin: true,
        headers: { origin: server },
        rewriteWsOrigin: true,
      },
    },
  },
});
