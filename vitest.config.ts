import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Only what hangs fails by time: how fast a test is depends on the machine, and on what else runs there. */
const patient = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    // One file per core: the default leaves a core unused, which is half of a small machine.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'packages/**/*.test.ts',
            'apps/service/**/*.test.ts',
            'tools/**/*.test.ts',
            'examples/*.test.ts',
          ],
          setupFiles: ['tools/patient-waits.ts'],
          ...patient,
        },
      },
      'apps/console/vite.config.ts',
    ],
  },
});
