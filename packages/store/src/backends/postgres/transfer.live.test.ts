import { afterAll, describe } from 'vitest';
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../../../tools/test-servers/postgres.ts';
import { patient } from '../../testing/patient.ts';
import { transferContract } from '../../testing/transfer.contract.ts';
import { emptyAll } from './testing/query.ts';
import { openTransfer } from './transfer.ts';

describe.runIf(hasPostgres())('on a real server', () => {
  let server: PostgresServer | undefined;
  afterAll(() => server?.stop());

  transferContract('PostgreSQL', async () => {
    server ??= await startPostgres();
    const config = patient(server.config);
    return { open: () => openTransfer(config), discard: () => emptyAll(config) };
  });
});
