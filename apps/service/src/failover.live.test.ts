import { expect, it, onTestFinished, vi } from 'vitest';
import { hasPostgres } from '../../../tools/test-servers/postgres.ts';
import { startPostgresPair } from '../../../tools/test-servers/postgres-pair.ts';
import { sized } from '../../../tools/test-size.ts';
import { SaveJournal } from './testing/save-journal.ts';
import { onPostgres, serviceOn } from './testing/service-on.ts';

const FAILOVERS = sized(20, 1);
/** Each in turn ends the primary, in the middle of the saves. */
const HOW = ['SIGKILL', 'SIGQUIT', 'SIGSTOP'] as const;
const WRITERS = 6;
const account = { username: 'admin', password: 'correct horse battery' };

it.runIf(hasPostgres())(
  `goes over to the standby of PostgreSQL by itself (${FAILOVERS} times), answers 200 or 503, and loses nothing it has acknowledged`,
  async () => {
    const pair = await startPostgresPair();
    onTestFinished(() => pair.stop());
    await using service = await serviceOn(onPostgres({ ...pair.config }));
    await service.call('POST', '/api/user/init', { body: account });
    const token = (await service.call('POST', '/auth/login', { body: account })).body.accessToken;
    const structure = { name: 'Sales', keyField: 'id', fields: [{ name: 'comment', type: 'text' }] };
    const kapsuleId = (await service.call('POST', '/api/kapsule', { token, body: structure })).body._id;
    const journal = new SaveJournal({ service, token, kapsuleId });
    journal.start(WRITERS);
    for (let round = 0; round < FAILOVERS; round += 1) {
      await journal.grows(30);
      await pair.failOver(HOW[round % HOW.length] ?? 'SIGKILL');
      await vi.waitFor(async () => expect((await service.call('GET', '/readyz')).status).toBe(200), {
        interval: 50,
      });
      await journal.grows(30);
      await pair.replaceStandby();
    }
    await journal.stop();
    expect(await journal.check()).toEqual(journal.sound);
    expect(service.process.output()).not.toMatch(/is ready on[^]*is ready on/);
  },
);
