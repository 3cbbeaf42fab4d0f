import type { GranuleInput } from '../../../granules.ts';
import { newId } from '../../../ids.ts';
import type { Store } from '../../../store.ts';
import { printNow } from '../../../testing/print-now.ts';
import { anAuditEntry, aUser, someGranules } from '../../../testing/samples.ts';
import { openEmbeddedStore } from '../open.ts';

/** A process of its own for the tests: `child.ts <file> <task> [count]`; each line it prints is something it was promised. */
const [file = '', task = '', count = '0'] = process.argv.slice(2);

/** Counts one user up, each time with an audit entry in the same unit. */
async function increment(store: Store, userId: string): Promise<void> {
  const id = await store.transaction(async (nouns) => {
    const user = await nouns.users.get(userId);
    const attempts = (user?.loginAttempts ?? 0) + 1;
    await nouns.users.patch(userId, { loginAttempts: attempts });
    return (await nouns.audit.insert(anAuditEntry('increment', { target: userId }))).id;
  });
  printNow(`audit ${id}`);
}

/** Several at once, so that they share commits; each with an audit entry that names its key. */
async function saveForever(store: Store): Promise<void> {
  for (;;) {
    const key = newId();
    const row = { key, user: 'ann', data: { comment: key } };
    const entry = anAuditEntry('granule.upsert', { target: key });
    await store.save({ kapsuleId: 'saved', rows: [row], dependsOn: [], entry });
    printNow(`saved ${key}`);
  }
}

async function writeForever(store: Store, batch: number): Promise<void> {
  const [user] = await store.users.findBy('nameKey', 'counter');
  const counter = user ?? (await store.users.insert(aUser('counter')));
  const units = async () => {
    for (;;) await increment(store, counter.id);
  };
  const documents = async () => {
    for (;;) printNow(`user ${(await store.users.insert(aUser(newId()))).id}`);
  };
  const granules = async () => {
    for (;;) printNow(`granules ${await store.granules.bulkUpsert('kapsule', someGranules(batch, newId()))}`);
  };
  const saves = [1, 2, 3, 4].map(() => saveForever(store));
  await Promise.all([units(), documents(), granules(), ...saves]);
}

/** As many new granules as ones that are there from the second import on, signed with its name. */
function* importOf(rows: number, action: string): Generator<GranuleInput> {
  yield* someGranules(rows, action);
  for (const row of someGranules(rows, 'replaced')) yield { ...row, user: action };
}

/** Imports forever; what is promised is the import's audit entry, stored with it. */
async function importForever(store: Store, rows: number): Promise<void> {
  for (;;) {
    const action = newId();
    printNow('importing');
    await store.granules.importAll('kapsule', importOf(rows, action), async (nouns) => {
      await nouns.audit.insert(anAuditEntry('import', { target: action }));
      printNow('publishing');
    });
    printNow(`imported ${action}`);
  }
}

const store = await openEmbeddedStore({ file });
printNow('open');
switch (task) {
  case 'write-forever':
    await writeForever(store, Number(count));
    break;
  case 'save-forever':
    await saveForever(store);
    break;
  case 'import-forever':
    await importForever(store, Number(count));
    break;
  case 'increment': {
    const [user] = await store.users.findBy('nameKey', 'counter');
    for (let n = 0; n < Number(count); n += 1) await increment(store, user?.id ?? '');
    await store.close();
    break;
  }
  case 'open-and-close':
    await store.close();
    break;
  case 'forget-to-close':
    await store.users.insert(aUser('forgotten'));
    break;
  default:
    throw new Error(`Unknown task ${task}`);
}
