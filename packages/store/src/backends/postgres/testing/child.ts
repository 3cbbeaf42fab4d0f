import { printNow } from '../../../testing/print-now.ts';
import { anAuditEntry } from '../../../testing/samples.ts';
import type { PostgresOptions } from '../config.ts';
import { open } from '../open.ts';

/** A process of its own for the tests: `child.ts <options> <task> [count]`; each line it prints has happened. */
const [options = '{}', task = '', count = '0'] = process.argv.slice(2);

printNow('opening');
const store = await open(JSON.parse(options) as PostgresOptions);
printNow('open');
if (task === 'increment') {
  const [counter] = await store.users.findBy('nameKey', 'counter');
  for (let n = 0; n < Number(count); n += 1) {
    await store.transaction(async (nouns) => {
      const user = await nouns.users.get(counter?.id ?? '');
      await nouns.users.patch(user?.id ?? '', { loginAttempts: (user?.loginAttempts ?? 0) + 1 });
      await nouns.audit.insert(anAuditEntry('increment'));
    });
    await store.granules.upsert('kapsule', [{ key: 'shared', user: 'u', data: { pid: process.pid, n } }]);
  }
}
await store.close();
printNow('done');
