import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './tools/long-first.ts';

/** Only what hangs fails by time: how fast a test is depends on the machine, and on what else runs there. */
const patient = {
  maxWorkers: availableParallelism(),
  environment: 'node' as const,
  setupFiles: ['tools/patient-waits.ts'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
};

/** The coverage provider reads what Vite has transformed; otherwise Node itself strips the types, as in production. */
const isMeasured = process.argv.includes('--coverage');

const onNode = {
  ...patient,
  experimental: { viteModuleRunner: isMeasured, nodeLoader: false },
  setupFiles: [...patient.setupFiles, 'tools/spare-threads.ts'],
};

/**
 * Each test of these files has an app of its own and leaves the process as it was, so that they share what it has loaded.
 * The others change what belongs to the process: its clock, its certificates, its environment.
 */
const shared = ['packages/contract/**/*.test.ts', 'apps/service/src/{features,http,security}/**/*.test.ts'];

/** Ids never go back in time, also after a test of the same process has set its clock ahead. */
const ids = 'packages/contract/src/ids.test.ts';

export default defineConfig({
  test: {
    // One file per core: the default leaves a core unused, which is half of a small machine.
    maxWorkers: availableParallelism(),
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
      { test: { ...onNode, name: 'shared', include: shared, exclude: [ids], isolate: false } },
      {
        test: {
          ...onNode,
          name: 'node',
          include: [
            ids,
            'packages/!(contract)/**/*.test.ts',
            'apps/service/**/*.test.ts',
            'tools/**/*.test.ts',
            'examples/*.test.ts',
          ],
          exclude: ['**/node_modules/**', 'apps/service/src/{features,http,security}/**/*.test.ts'],
        },
      },
      'apps/console/vitest.config.ts',
      'apps/extension/vitest.config.ts',
    ],
  },
});
