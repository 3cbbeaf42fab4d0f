import { defineConfig } from 'vitest/config';

/** `npm run test:live`: the contract suite against a server that the user names. */
export default defineConfig({
  test: { include: ['packages/data-sources/src/testing/named-server.live.ts'], testTimeout: 300_000 },
});
