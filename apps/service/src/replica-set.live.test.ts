import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { hasOwnMongodb } from '../../../tools/test-servers/mongodb.ts';
import { type ReplicaSet, startReplicaSet } from '../../../tools/test-servers/replica-set.ts';
import { isFullTest } from '../../../tools/test-size.ts';
import { checkDatabase } from './operations/cli/check-database.ts';
import { copyDatabase } from './operations/cli/copy-database.ts';
import { SaveJournal } from './testing/save-journal.ts';
import { type Instance, onServer, serviceOn } from './testing/service-on.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const KILLS = 20;
const WRITERS = 6;
/** Each kill waits for an election and for the return of the killed member. */
const LONG = { timeout: 1_200_000 };
const PEPPER = 'the same secret on all instances';
const account = { username: 'admin', password: 'correct horse battery' };

/** Other addresses than 127.0.0.1 belong to the loopback interface on Linux only. */
const isHere = isFullTest && process.platform === 'linux' && hasOwnMongodb();

describe.runIf(isHere)('the service on three members of a MongoDB replica set', () => {
  let set: ReplicaSet | undefined;
  afterEach(async () => {
    await set?.stop();
    set = undefined;
  });

  async function savesOn(servers: ReplicaSet) {
    await using started = await serviceOn(environmentOf(servers));
    const journal = new SaveJournal(await loggedIn(started));
    journal.start(2);
    await journal.grows(5);
    await journal.stop();
    return { check: await journal.check(), sound: journal.sound };
  }

  const environmentOf = ({ config }: ReplicaSet) => ({
    ...onServer('mongodb', { ...config, database: 'failover' }),
    KAPTAIN_PEPPER: PEPPER,
  });

  async function loggedIn(on: Instance) {
    await on.call('POST', '/api/user/init', { body: account });
    const { accessToken: token } = (await on.call('POST', '/auth/login', { body: account })).body;
    const structure = { name: randomUUID(), keyField: 'id', fields: [{ name: 'comment', type: 'text' }] };
    const { _id: kapsuleId } = (await on.call('POST', '/api/kapsule', { token, body: structure })).body;
    return { service: on, token, kapsuleId };
  }

  it(
    `loses no acknowledged save when the primary is killed under load (${KILLS} times), and answers 200 or 503`,
    LONG,
    async () => {
      set = await startReplicaSet({ members: 3 });
      await using service = await serviceOn(environmentOf(set));
      const journal = new SaveJournal(await loggedIn(service));
      journal.start(WRITERS);
      try {
        for (let n = 0; n < KILLS; n += 1) {
          await journal.grows(10);
          const primary = await set.primary();
          await primary.kill();
          // These saves reach one of the other two, which elect a primary.
          await journal.grows(10);
          await primary.start();
          // The killed member catches up before the next one is killed.
          await set.untilWhole();
        }
      } finally {
        await journal.stop();
      }
      expect(await journal.check()).toEqual(journal.sound);
      expect(journal.acknowledged).toBeGreaterThan(KILLS * 20);
    },
  );

  it('starts while one of the listed members is down, also the first', async () => {
    set = await startReplicaSet({ members: 3 });
    for (const member of set.members) {
      await member.kill();
      await set.primary();
      const { check, sound } = await savesOn(set);
      expect(check).toEqual(sound);
      await member.start();
      await set.untilWhole();
    }
  });

  it('starts on a list of hosts with different ports, and goes on there after a kill', async () => {
    set = await startReplicaSet({ members: 3, hasOwnPorts: true });
    const before = await savesOn(set);
    await (await set.primary()).kill();
    await set.primary();
    const after = await savesOn(set);
    expect([before.check, after.check]).toEqual([before.sound, after.sound]);
    const { host } = set.config;
    using folder = temporaryFolder();
    const env = { ...environmentOf(set), KAPTAIN_DATA_DIR: folder.path };
    expect(await checkDatabase(env)).toEqual({
      isDone: true,
      message: `The MongoDB database failover on ${host} can be used.`,
    });
    const copied = await copyDatabase(env, `mongodb://${host}/copy`, Readable.from([]), () => undefined);
    expect(copied.message).toContain(`are in mongodb://${host}/copy, compared by counts`);
  });
});
