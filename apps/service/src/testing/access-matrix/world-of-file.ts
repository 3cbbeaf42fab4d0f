import { afterAll, beforeAll } from 'vitest';
import { type TestApp, testApp } from '../test-app.ts';
import { ALLOWED_PAGE } from './rows.ts';
import { createWorld, type World } from './world.ts';

/** One service with API keys and its world, for all tests of a file; set before the first of them runs. */
export function worldOfFile(): { app: TestApp; world: World } {
  const shared = {} as { app: TestApp; world: World };
  beforeAll(async () => {
    shared.app = await testApp({ settings: { apiKey: true, corsAllowOrigins: [ALLOWED_PAGE] } });
    shared.world = await createWorld(shared.app);
  });
  afterAll(() => shared.app[Symbol.asyncDispose]());
  return shared;
}
