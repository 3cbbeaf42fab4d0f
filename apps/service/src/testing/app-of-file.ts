import { afterAll, beforeAll } from 'vitest';
import type { Caller } from './caller.ts';
import { type TestApp, type TestAppOptions, testApp } from './test-app.ts';

/** One service and its admin for all tests of a file; set before the first of them runs. */
export function appOfFile(options?: TestAppOptions): { app: TestApp; admin: Caller } {
  const shared = {} as { app: TestApp; admin: Caller };
  beforeAll(async () => {
    shared.app = await testApp(options);
    shared.admin = await shared.app.asAdmin();
  });
  afterAll(() => shared.app[Symbol.asyncDispose]());
  return shared;
}
