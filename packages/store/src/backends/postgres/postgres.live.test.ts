import { afterAll, describe } from 'vitest';
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../../../tools/test-servers/postgres.ts';
import { patient } from '../../testing/patient.ts';
import { storeContract } from '../../testing/store.contract.ts';
import { transferContract } from '../../testing/transfer.contract.ts';
import { BEHIND } from './granules/field-indexing.ts';
import { open } from './open.ts';
import { emptyAll, query } from './testing/query.ts';
import { openTransfer } from './transfer.ts';

interface Counts {
  indexes: number;
  behind: number;
}

describe.runIf(hasPostgres())('on a real server', () => {
  let server: PostgresServer | undefined;
  afterAll(() => server?.stop());

  const started = async () => (server ??= await startPostgres());

  storeContract('PostgreSQL', async () => {
    const server = await started();
    // A thousand increments of one row take longer than a unit may, on a machine that runs all tests.
    const config = { ...patient(server.config), unitLimitMs: 300_000 };
    const counts = `SELECT
      (SELECT count(*)::int FROM kapsule_data.granule_field_indexes) AS indexes,
      (SELECT count(*)::int FROM (${BEHIND}) i)
        + (SELECT count(*)::int FROM kapsule_data.granule_field_removals) AS behind`;
    const fieldIndexes = async () => {
      const [{ indexes, behind } = { indexes: 0, behind: 0 }] = await query<Counts>(config, counts);
      return { indexes, behind };
    };
    // Emptied rather than made anew, which would take most of the time.
    return { open: () => open(config), fieldIndexes, discard: () => emptyAll(config) };
  });

  transferContract('PostgreSQL', async () => {
    const config = patient((await started()).config);
    return { open: () => openTransfer(config), discard: () => emptyAll(config) };
  });
});
