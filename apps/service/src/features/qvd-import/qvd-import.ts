import { type api, mayNameAuthors, type Sent } from '@kaptain/contract';
import { type KapsuleRecord, type Nouns, PackedRows, type Store } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Call, Handler } from '../../http/call.ts';
import { granulesOf } from '../../kapsule-rules/granules-of.ts';
import { changeable, targetOf } from '../../kapsule-rules/kapsule-access.ts';
import { audit } from '../../security/audit.ts';
import { presentCaller } from '../../security/present-caller.ts';
import { QvdReading } from './qvd-reading.ts';

interface Deps {
  store: Store;
  clock: () => number;
}

export function qvdImport({ store, clock }: Deps): Handler<typeof api.granules.importQvd> {
  async function storeAll(
    kapsule: KapsuleRecord,
    reading: QvdReading,
    call: Call<'loggedIn'>,
  ): Promise<void> {
    const write = async (nouns: Nouns, stored: number) => {
      const present = await presentCaller(nouns, call.caller);
      await changeable(nouns, kapsule.id, present);
      // The rows already carry the authors of the file: a role lost meanwhile takes the import with it.
      if (mayNameAuthors(call.caller.role) && !mayNameAuthors(present.role)) throw new AppError('FORBIDDEN');
      const files = reading.files.map(({ file, rows }) => `${file}: ${rows}`);
      const after = { count: stored, files };
      await audit(nouns, call, clock(), { action: 'granule.import', target: targetOf(kapsule), after });
    };
    await granulesOf(store, kapsule).importAll(kapsule.id, new PackedRows(reading.batches()), write);
  }

  return async ({ query, receiveFiles }, call): Promise<Sent<typeof api.granules.importQvd>> => {
    const { kapsule } = await changeable(store, query.kapsuleId, call.caller);
    granulesOf(store, kapsule);
    const user = await store.users.get(call.caller.userId);
    const files = (await receiveFiles()).map(({ name, path }) => ({ name, path }));
    const { keyField, table, fields } = kapsule;
    const task = {
      files,
      structure: { keyField, table, fields },
      role: call.caller.role,
      author: user?.qlikId || call.caller.username,
      isDryRun: query.dryRun === true,
    };
    const reading = new QvdReading(task, call.gone());
    if (task.isDryRun) for await (const _ of reading.batches());
    else await storeAll(kapsule, reading, call);
    return { rows: reading.files.reduce((sum, { rows }) => sum + rows, 0), files: reading.files };
  };
}
