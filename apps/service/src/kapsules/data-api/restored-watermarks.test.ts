import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { kaptainClient, readGranules } from '@kaptain/client';
import { expect, it } from 'vitest';
import { callerOf } from '../../testing/caller.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { kaptain } from '../../testing/run-command.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { testApp } from '../../testing/test-app.ts';

const WATERMARK = /^\d+-[\w-]+$/;

/** A data folder with a kapsule and an API key; each call starts a service on it and stops it again. */
async function installation(folder: string) {
  const settings = { apiKey: true };
  await using first = await testApp({ folder, settings });
  const admin = await first.asAdmin();
  const apikey = String((await admin.get('/api/privatekey/get')).body['apikey']);
  await admin.post('/api/privatekey/create', { name: 'reader', apikey });
  const { id } = await addKapsule(first.store, 'Sales');
  const path = `/api/kapsule/${id}`;

  const withService = async <T>(work: (app: Awaited<ReturnType<typeof testApp>>) => Promise<T>) => {
    await using app = await testApp({ folder, settings });
    return await work(app);
  };
  return {
    id,
    apikey,
    withService,
    /** Stores granules, and reads the watermark after them. */
    save: (...keys: string[]) =>
      withService(async ({ store, http }) => {
        const rows = keys.map((key) => ({ key, user: 'ann', data: {} }));
        await store.granules.upsert(id, rows);
        const { headers } = await callerOf(http, apikey).get(`${path}/sql/read`);
        return String(headers['x-kaptain-watermark']);
      }),
    /** The answers to a read since the watermark and to its confirmation. */
    use: (watermark: string) =>
      withService(async ({ http }) => {
        const key = callerOf(http, apikey);
        const read = await key.get(`${path}/sql/read?since=${watermark}&format=ndjson`);
        const confirmed = await key.post(`${path}/reloaded`, { watermark });
        return [read, confirmed].map(({ status, body }) => (status === 200 ? 200 : [status, body['code']]));
      }),
  };
}

const REFUSED = [
  [410, 'WATERMARK_OUTDATED'],
  [410, 'WATERMARK_OUTDATED'],
];

it('refuses a watermark that is ahead of the last change, however the changes were lost', async () => {
  using data = temporaryFolder();
  const the = await installation(data.path);
  const early = await the.save('1', '2');
  const [file, kept] = [join(data.path, 'kaptain.db'), join(data.path, 'kept')];
  copyFileSync(file, kept);
  const late = await the.save('3', '4');
  expect(await the.use(late)).toEqual([200, 200]);
  copyFileSync(kept, file);
  expect(await the.use(late)).toEqual(REFUSED);
  expect(await the.use(early)).toEqual([200, 200]);
});

it('refuses every watermark of before the restore of a backup, also when its number is given again', async () => {
  using data = temporaryFolder();
  const the = await installation(data.path);
  const early = await the.save('1', '2');
  const backup = join(data.path, 'nightly.backup');
  expect(await kaptain(data.path, 'backup', backup)).toMatchObject({ code: 0 });
  const late = await the.save('3', '4');
  expect(await the.use(late)).toEqual([200, 200]);
  expect(await kaptain(data.path, 'restore', backup)).toMatchObject({ code: 0 });
  const after = await the.save('5', '6', '7');
  expect([early, late, after]).toEqual(Array(3).fill(expect.stringMatching(WATERMARK)));
  expect(await the.use(late)).toEqual(REFUSED);
  expect(await the.use(early)).toEqual(REFUSED);
  expect(await the.use('0')).toEqual([200, 200]);
  expect(await the.use(after)).toEqual([200, 200]);
  const [number = ''] = after.split('-');
  const forged = [
    after.replace(/-[\w-]{8}-/, '-'),
    after.replace(/.$/, (last) => (last === '_' ? 'A' : '_')),
    `${number}-${'A'.repeat(25)}`,
  ];
  for (const watermark of forged) {
    const refused = [400, 'BAD_INPUT'];
    expect(await the.use(watermark)).toEqual([refused, refused]);
  }
  // A second restore of the same backup is another one.
  expect(await kaptain(data.path, 'restore', backup)).toMatchObject({ code: 0 });
  expect(await the.use(after)).toEqual(REFUSED);
});

it('tells the typed client by its code', async () => {
  using data = temporaryFolder();
  const the = await installation(data.path);
  const file = join(data.path, 'nightly.backup');
  await kaptain(data.path, 'backup', file);
  const late = await the.save('1');
  await kaptain(data.path, 'restore', file);
  await the.withService(async ({ http }) => {
    const url = `http://127.0.0.1:${await listenLocally(http)}`;
    const kaptainApi = kaptainClient({ url, token: the.apikey });
    const reading = readGranules(kaptainApi, the.id, { since: late });
    await expect(reading).rejects.toMatchObject({ status: 410, code: 'WATERMARK_OUTDATED' });
  });
});
