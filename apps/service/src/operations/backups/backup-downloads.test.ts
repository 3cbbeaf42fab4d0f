import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { readBackup } from '@kaptain/store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Call } from '../../base/call/call.ts';
import { databaseFile } from '../../base/database/open-store.ts';
import type { Caller } from '../../testing/caller.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { BackupDownloads } from './backup-downloads.ts';

const PATH = '/api/status/backup';
const KEPT_MS = 15 * 60_000;

describe('a backup that is downloaded', () => {
  let app: TestApp;
  let admin: Caller;
  beforeAll(async () => {
    app = await testApp();
    admin = await app.asAdmin();
    await addKapsule(app.store, 'Sales');
  });
  afterAll(() => app[Symbol.asyncDispose]());
  const left = () => {
    try {
      return readdirSync(join(app.folder, 'tmp'));
    } catch {
      return [];
    }
  };

  it('is for ADMINs alone, holds what the command line would write, and is gone afterwards', async () => {
    const vera = await app.asUser('vera');
    for (const [caller, status] of [
      [app.asNobody, 401],
      [vera, 403],
    ] as const) {
      expect((await caller.post(PATH)).status).toBe(status);
      expect((await caller.get(`${PATH}/x`)).status).toBe(status);
    }
    const { body } = await admin.post(PATH);
    expect(body).toEqual({ file: expect.stringMatching(/^kaptain-.+\.backup$/), bytes: expect.any(Number) });
    const url = `${PATH}/${String(body['file'])}`;
    expect((await admin.get(`${url}x`)).status).toBe(404);
    const authorization = `Bearer ${admin.token}`;
    const { rawPayload, headers } = await app.http.inject({ url, headers: { authorization } });
    expect(headers['content-disposition']).toContain(String(body['file']));
    expect(rawPayload.length).toBe(body['bytes']);
    const copy = join(app.folder, 'copy.backup');
    writeFileSync(copy, rawPayload);
    const { files, isChecked } = readBackup(copy);
    expect(isChecked).toBe(true);
    for (const { path } of files) expect(path).toMatch(/^(kaptain\.json|settings\/|keys\/|certificates\/)/);
    expect((await admin.get(url)).status).toBe(404);
    expect(left()).toEqual([]);
    const actions = (await app.store.audit.all()).filter(({ action }) => action.startsWith('backup.'));
    expect(actions.map(({ action, actor }) => [action, actor])).toEqual([
      ['backup.create', 'admin'],
      ['backup.download', 'admin'],
    ]);
  });

  it('is one at a time, and another one replaces it', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => admin.post(PATH)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
    expect(left()).toHaveLength(1);
    const [made] = answers.filter(({ status }) => status === 200).slice(-1);
    app.advance(2_000);
    const next = await admin.post(PATH);
    expect(next.status).toBe(200);
    expect((await admin.get(`${PATH}/${String(made?.body['file'])}`)).status).toBe(404);
    expect(left()).toHaveLength(1);
  });

  it('waits 15 minutes for its download, then its file is gone', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    app.advance(2_000);
    const { body } = await admin.post(PATH);
    const expiries = timers.mock.calls.filter(([, ms]) => ms === KEPT_MS);
    timers.mockRestore();
    expect([left().length, expiries.length]).toEqual([1, 1]);
    for (const [expire] of expiries) expire();
    await vi.waitFor(() => expect(left()).toEqual([]));
    expect((await admin.get(`${PATH}/${String(body['file'])}`)).status).toBe(404);
  });

  it('is refused when it does not fit on the disk, with nothing left behind', async () => {
    const folder = mkdtempSync(join(app.folder, 'full-'));
    const [dataDir, temporaryFolder] = [join(folder, 'data'), join(folder, 'tmp')];
    mkdirSync(dataDir);
    // A sparse file: it takes no room and says that it needs more than any disk has.
    closeSync(openSync(databaseFile(dataDir), 'w'));
    truncateSync(databaseFile(dataDir), 2 ** 43);
    const deps = { store: app.store, database: 'embedded', dataDir, temporaryFolder, clock: Date.now };
    const call = { gone: () => new AbortController().signal } as Call<'admin'>;
    const downloads = new BackupDownloads(deps);
    for (const _ of [1, 2]) await expect(downloads.make(call)).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect(readdirSync(temporaryFolder)).toEqual([]);
  });

  it('is refused where the data is on a database server', async () => {
    const { store, folder } = app;
    const deps = { store, database: 'postgres', dataDir: folder, temporaryFolder: folder, clock: Date.now };
    await expect(new BackupDownloads(deps).make({} as Call<'admin'>)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });
});
