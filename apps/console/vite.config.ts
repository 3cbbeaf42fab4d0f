import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const service = process.env['KAPTAIN_SERVICE_URL'] ?? 'http://127.0.0.1:8000';
const served = [
  '/api',
  '/auth',
  '/app/version',
  '/configuration',
  '/healthz',
  '/readyz',
  '/config.json',
  '/docs',
];

export default defineConfig({
  root: import.meta.dirname,
  // Deep links such as /data/kapsules are answered with index.html, so assets need absolute addresses.
  base: '/',
  // Saving a component replaces it in the open page and keeps what was typed; tests run the components as they are shipped.
  plugins: process.env['VITEST'] ? [] : [react()],
  ...(process.env['VITEST'] && { oxc: { jsx: { runtime: 'automatic', development: false } } }),
  // The service puts a fresh nonce in place of this word in every index.html it answers.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    // Inlined assets would need `data:` in more places of the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The parts of antd don't say that their modules only define things; without it the login screen would carry all of them.
      treeshake: {
        moduleSideEffects: [
          { test: /node_modules[\\/](@rc-component|@ant-design)[\\/]/, sideEffects: false },
        ],
      },
      onLog(level, log, next) {
        // antd marks its modules for server components; a browser bundle rightly drops the mark.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') next(level, log);
      },
    },
  },
  // The browser's Host header is kept, or the service would take the page for a stranger's.
  server: {
    proxy: Object.fromEntries(served.map((path) => [path, { target: service, changeOrigin: false }])),
  },
});
