import { availableParallelism } from 'node:os';
import { defineConfig, mergeConfig } from 'vitest/config';
import console from './vite.config.ts';

/** Apart from vite.config.ts: building the console needs no test tools. */
export default mergeConfig(
  console,
  defineConfig({
    test: {
      name: 'console',
      // As in the root's configuration: projects that run together need the same number.
      maxWorkers: availableParallelism(),
      environment: 'jsdom',
      // Loading antd again for every file took as long as the tests; each file still has a document of its own.
      isolate: false,
      include: ['src/**/*.test.{ts,tsx}'],
      setupFiles: ['src/testing/production-act.ts', 'src/testing/setup.ts'],
      // Only what hangs fails by time.
      testTimeout: 300_000,
      alias: [{ find: /^antd\/es\//, replacement: 'antd/lib/' }],
      // React and antd as they are shipped: without their checks the same tests take half the time.
      env: { TZ: 'UTC', NODE_ENV: 'production' },
    },
  }),
);
