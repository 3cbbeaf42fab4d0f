import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
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
