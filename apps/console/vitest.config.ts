import { availableParallelism } from 'node:os';
import type { Plugin } from 'vite';
import { defineConfig, mergeConfig } from 'vitest/config';
import console from './vite.config.ts';

/** Loads the icons that are named, as the build does: loading all 800 takes 0.8 s of processor time in each process. */
const singleIcons: Plugin = {
  name: 'single-icons',
  enforce: 'pre',
  transform: (code) =>
    code.replace(/import \{([^}]+)\} from '@ant-design\/icons';/, (_, names: string) =>
      names.replace(/\s*(\w+),?/g, "import $1 from '@ant-design/icons/$1';"),
    ),
};

/** A file of its own, because building the console must not need the test tools. */
export default mergeConfig(
  console,
  defineConfig({
    plugins: [singleIcons],
    test: {
      name: 'console',
      // The same number as in the root's configuration: projects that run together need it.
      maxWorkers: availableParallelism() + 1,
      environment: 'jsdom',
      // The files of a worker share loaded modules: loading antd for each file would take as long as the tests.
      isolate: false,
      // The root's configuration runs the other tests, which need neither a document nor JSX.
      include: ['src/**/*.test.tsx', 'src/api/*.test.ts'],
      setupFiles: ['src/testing/production-act.ts', 'src/testing/setup.ts'],
      // Large enough that only a hanging test exceeds it.
      testTimeout: 300_000,
      alias: [{ find: /^antd\/es\//, replacement: 'antd/lib/' }],
      // React and antd as they are shipped: their development checks would double the time.
      env: { TZ: 'UTC', NODE_ENV: 'production' },
    },
  }),
);
