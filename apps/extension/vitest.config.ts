import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'extension',
    root: import.meta.dirname,
    // The same number as in the root's configuration: projects that run together need it.
    maxWorkers: availableParallelism() + 1,
    environment: 'node',
    isolate: false,
    include: ['src/**/*.test.ts'],
    // Large enough that only a hanging test exceeds it.
    testTimeout: 300_000,
  },
});
