import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { anAuditEntry } from '../../testing/samples.ts';
import { checkTrail } from '../../trail/check-trail.ts';
import { sealPending, withMacs } from '../../trail/seal-trail.ts';
import { Seals } from '../../trail/seals.ts';
import { openEmbeddedStore } from './open.ts';
import { temporaryFile } from './testing/temporary-file.ts';

const secret = () => Buffer.alloc(32, 7);

it('opens a file of a version that had fewer nouns, and seals the trail in it', async () => {
  const file = temporaryFile();
  await (await openEmbeddedStore({ file })).close();
  const database = new DatabaseSync(file);
  for (const noun of ['toSeal', 'seals'])
    for (const table of [noun, `${noun}_unique`, `${noun}_index`]) database.exec(`DROP TABLE "${table}"`);
  database.close();
  const store = await openEmbeddedStore({ file });
  await withMacs(store, new Seals(secret)).audit.insert(anAuditEntry('later'));
  await sealPending(store, secret);
  expect(await checkTrail(store, secret)).toEqual({ sealed: 1, waiting: 0, unsealed: 0, faults: [] });
  await store.close();
});
