import { afterAll, describe } from 'vitest';
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../../../tools/test-servers/postgres.ts';
import { patient } from '../../testing/patient.ts';
import { storeContract } from '../../testing/store.contract.ts';
import { BEHIND } from './granules/field-indexing.ts';
import { open } from './open.ts';
import { emptyAll, query } from './testing/query.ts';

describe.runIf(hasPostgres())('on a real server', () => {
  let server: PostgresServer | undefined;
  afterAll(() => server?.stop());

  storeContract('PostgreSQL', async () => {
    server ??= await startPostgres();
    const config = patient(server.config);
    // Emptied rather than made anew, which would take most of the time.
    const count = async (rows: string) => {
      const [counted] = await query<{ rows: string }>(config, `SELECT count(*) AS rows FROM ${rows}`);
      return Number(counted?.rows);
    };
    const fieldIndexes = async () => ({
      indexes: await count('kapsule_data.granule_field_indexes'),
      behind: (await count(`(${BEHIND}) i`)) + (await count('kapsule_data.granule_field_removals')),
    });
    return { open: () => open(config), fieldIndexes, discard: () => emptyAll(config) };
  });
});
