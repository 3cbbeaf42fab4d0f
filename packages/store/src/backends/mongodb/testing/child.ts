import { newId } from '../../../ids.ts';
import { printNow } from '../../../testing/print-now.ts';
import { anAuditEntry, aUser, someGranules } from '../../../testing/samples.ts';
import type { MongoOptions } from '../connect.ts';
import { openMongoStore } from '../lazy.ts';

/** A process of its own for the tests, which writes until it is killed; each line is something it was promised. */
const store = await openMongoStore(JSON.parse(process.argv[2] ?? '') as MongoOptions);
const [known] = await store.users.findBy('nameKey', 'counter');
const counter = known ?? (await store.users.insert(aUser('counter')));
printNow('open');

const units = async () => {
  for (;;) {
    const id = await store.transaction(async (unit) => {
      const user = await unit.users.get(counter.id);
      await unit.users.patch(counter.id, { loginAttempts: (user?.loginAttempts ?? 0) + 1 });
      await unit.granules.upsert('kapsule', [
        { key: 'same', user: 'u', data: { n: user?.loginAttempts } },
        ...someGranules(20, newId()),
      ]);
      return (await unit.audit.insert(anAuditEntry('increment'))).id;
    });
    printNow(`audit ${id}`);
  }
};
const imports = async () => {
  for (;;) {
    const name = newId();
    await store.granules.importAll('imported', someGranules(500, name), async (nouns) => {
      await nouns.audit.insert(anAuditEntry('import', { target: name }));
    });
    printNow(`import ${name}`);
  }
};
await Promise.all([units(), imports()]);
