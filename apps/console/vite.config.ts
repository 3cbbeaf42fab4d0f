import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { codeFiles } from './build/code-files.ts';
import { formContext } from './build/form-context.ts';

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

/** Loads the Latin letters of the font with the first script, so that few pages show the fallback first. */
const preloadFont: Plugin = {
  name: 'preload-font',
  transformIndexHtml: (_, { bundle = {} }) =>
    Object.keys(bundle)
      .filter((file) => /inter-latin-wght-normal-.*\.woff2$/.test(file))
      .map((file) => ({
        tag: 'link',
        injectTo: 'head',
        attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` },
      })),
};

export default defineConfig({
  root: import.meta.dirname,
  // Deep links such as /data/kapsules are answered with index.html, so assets need absolute addresses.
  base: '/',
  // Fast refresh in development only: tests run the components as they are shipped.
  plugins: process.env['VITEST'] ? [] : [react(), formContext, codeFiles(), preloadFont],
  ...(process.env['VITEST'] && { oxc: { jsx: { runtime: 'automatic', development: false } } }),
  // The service puts a fresh nonce in place of this word in every index.html it answers.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    // Inlined assets would need `data:` in more places of the content security policy.
    assetsInlineLimit: 0,
    // `start` has some 600 kB, 190 when compressed, and `common` 730 and 235.
    chunkSizeWarningLimit: 800,
    // One small style sheet, so that a part of the console that is loaded later is one kind of file: code.
    cssCodeSplit: false,
    // api/load-code.ts fetches the files of a part itself; the page of index.html begins with all of its files at once.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []),
    },
    rolldownOptions: {
      // antd's packages do not declare `sideEffects: false`; without this the login screen would include all of them.
      treeshake: {
        moduleSideEffects: [
          { test: /node_modules[\\/](@rc-component|@ant-design)[\\/]/, sideEffects: false },
        ],
      },
      output: {
        codeSplitting: {
          groups: [
            // The login, which every visit begins with.
            { name: 'start', tags: ['$initial'], priority: 3 },
            // Code that several parts need is in two files: one file per set of parts would be some ninety responses after a login.
            { name: 'common', minShareCount: 4, priority: 2 },
            { name: 'shared', minShareCount: 2, priority: 1 },
          ],
        },
      },
      onLog(level, log, next) {
        // antd's modules have a "use client" directive, which a browser bundle does not need.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') next(level, log);
      },
    },
  },
  // Keeps the browser's Host header: the service refuses requests whose origin is another host.
  server: {
    proxy: Object.fromEntries(served.map((path) => [path, { target: service, changeOrigin: false }])),
  },
});
