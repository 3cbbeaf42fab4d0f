import { expect, it, onTestFinished } from 'vitest';
import { hasOwnMongodb } from '../../../../../tools/test-servers/mongodb.ts';
import { startReplicaSet } from '../../../../../tools/test-servers/replica-set.ts';
import { freePort } from '../../../../../tools/test-servers/server-process.ts';
import { UnavailableError } from '../../errors.ts';
import { patient } from '../../testing/patient.ts';
import { aUser } from '../../testing/samples.ts';
import { openMongoStore } from './lazy.ts';

it.runIf(hasOwnMongodb())(
  'opens at a list of hosts with ports of their own, of which one is down',
  async () => {
    const set = await startReplicaSet();
    onTestFinished(() => set.stop());
    const { host, port, ...config } = set.config;
    const away = `${host}:${await freePort()}`;
    for (const hosts of [`${away},${host}:${port}`, `${host}:${port}, ${away}`]) {
      const store = await openMongoStore({ ...patient(config), host: hosts, port: 1, database: 'hosts' });
      const names = (await store.users.all()).map(({ username }) => username);
      await store.users.insert(aUser(`user ${names.length}`));
      expect(await store.users.all()).toHaveLength(names.length + 1);
      await store.close();
    }
  },
);

it.each(['a b', 'a:99999', 'a/b', 'a@b', 'a?b=c', ''])('refuses %j as a host', async (host) => {
  const at = { host, port: 27_017, user: '', password: '', database: 'hosts' };
  const opening = openMongoStore(at);
  await expect(opening).rejects.toThrow(UnavailableError);
  await expect(opening).rejects.toThrow('The host of the database is not a valid name.');
});
