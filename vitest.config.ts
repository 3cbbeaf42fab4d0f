import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './tools/long-first.ts';
import { isFullTest } from './tools/test-size.ts';

/** One process more than cores, because many tests wait for a server or another process. */
const maxWorkers = availableParallelism() + 1;

/** Only what hangs fails by time: how fast a test is depends on the machine, and on what else runs there. */
const patient = {
  maxWorkers,
  environment: 'node' as const,
  setupFiles: ['tools/patient-waits.ts'],
  testTimeout: isFullTest ? 1_200_000 : 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
};

/** The coverage provider reads what Vite has transformed; otherwise Node itself strips the types, as in production. */
const isMeasured = process.argv.includes('--coverage');

const onNode = {
  ...patient,
  experimental: { viteModuleRunner: isMeasured, nodeLoader: false },
};

/**
 * These files leave something behind in their process (ids of a later time, handlers of signals), or measure its memory or
 * its event loop. All others leave it as it was, so that they share what it has loaded: a process takes 0.5 s of processor
 * time before its first test.
 */
const alone = [
  'apps/service/src/clock.test.ts',
  'packages/qvd/src/hostile.test.ts',
  'packages/store/src/backends/embedded/event-loop.test.ts',
  'tools/setup/children.test.ts',
];

/** These files measure what one person's call makes others wait for: one runs at a time, when all others have ended. */
const quiet = ['apps/service/src/**/*.quiet.test.ts'];

const all = [
  'packages/**/*.test.ts',
  'apps/service/**/*.test.ts',
  // Rules of the console that need neither a document nor JSX.
  'apps/console/src/{app,features,shared}/**/*.test.ts',
  'bench/**/*.test.ts',
  'tools/**/*.test.ts',
  'examples/*.test.ts',
];

export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: LongFirst },
    // Printed by `npm run test:full`; it asks for nothing.
    coverage: {
      provider: 'v8',
      include: ['apps/*/src/**/*.{ts,tsx}', 'packages/*/src/**/*.ts'],
      exclude: ['**/*.test.{ts,tsx}', '**/testing/**'],
      reporter: ['text-summary'],
      reportsDirectory: join('node_modules', '.cache', 'coverage'),
    },
    projects: [
      { test: { ...onNode, name: 'alone', include: alone } },
      {
        test: {
          ...onNode,
          name: 'shared',
          include: all,
          exclude: ['**/node_modules/**', ...alone, ...quiet],
          isolate: false,
        },
      },
      { test: { ...onNode, name: 'quiet', include: quiet, maxWorkers: 1 } },
      'apps/console/vitest.config.ts',
      'apps/extension/vitest.config.ts',
    ],
  },
});
