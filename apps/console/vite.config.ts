import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  build: { target: 'es2023' },
  test: { name: 'console', environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'] },
});
