import { defineConfig, devices } from '@playwright/test';
import { viewport } from './e2e/fixtures/tab.ts';
import { findBrowser } from './tools/setup/browser.mjs';
import { isFullTest } from './tools/test-size.ts';

const inCi = process.env['CI'] === 'true';
const executablePath = findBrowser();
const quiet = [
  '--disable-gpu',
  // One process for all origins of localhost, which the tests of a worker visit in one tab.
  '--disable-site-isolation-trials',
  // A page lives for seconds here: optimizing its code takes more time than it saves, and so does collecting small heaps.
  '--js-flags=--no-opt --no-maglev --min-semi-space-size=32',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
// Chromium refuses its sandbox to root, which is who runs in most containers.
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // Stories tagged @full run with `npm run test:full` only.
  ...(!isFullTest && { grepInvert: /@full/ }),
  workers: 2,
  retries: 0,
  // A busy machine is no failure; what never appears still fails, for a person sooner.
  timeout: 1_200_000,
  expect: { timeout: inCi ? 180_000 : 60_000 },
  forbidOnly: inCi,
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    viewport,
    // A click may miss an element that still moves.
    contextOptions: { reducedMotion: 'reduce' },
    // Differs from the time zone of any server (Spec 9).
    timezoneId: 'Asia/Kathmandu',
    // The certificates of the tests are self-signed.
    ignoreHTTPSErrors: true,
    launchOptions: { args: [...quiet, ...asRoot], ...(executablePath && { executablePath }) },
    // Recording every step of tests that pass took a third of their time; `npm run test:e2e -- --trace on` records.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});
