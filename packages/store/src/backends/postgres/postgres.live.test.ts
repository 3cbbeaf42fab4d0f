import { afterAll, describe } from 'vitest';
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../../../tools/test-servers/postgres.ts';
import { storeContract } from '../../testing/store.contract.ts';
import { open } from './open.ts';
import { emptyAll } from './testing/query.ts';

describe.runIf(hasPostgres())('on a real server', () => {
  let server: PostgresServer | undefined;
  afterAll(() => server?.stop());

  storeContract('PostgreSQL', async () => {
    server ??= await startPostgres();
    const { config } = server;
    // Emptied rather than made anew, which would take most of the time.
    return { open: () => open(config), discard: () => emptyAll(config) };
  });
});
