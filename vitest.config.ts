import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Many tests wait for other processes: one file more than there are cores keeps a small machine busy.
    maxWorkers: availableParallelism() + 1,
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
          testTimeout: 30_000,
        },
      },
      'apps/console/vite.config.ts',
    ],
  },
});
