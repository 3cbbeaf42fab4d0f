import { readdirSync, writeFileSync } from 'node:fs';
import type * as Files from 'node:fs/promises';
import { join } from 'node:path';
import { readBackup } from '@kaptain/store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Call } from '../http/call.ts';
import type { Caller } from '../testing/caller.ts';
import { addKapsule } from '../testing/kapsules.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { BackupDownloads } from './backup-downloads.ts';

const PATH = '/api/status/backup';
const KEPT_MS = 15 * 60_000;

/** A disk that can be full, whatever this machine has. */
const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof Files>();
  const statfs = async (path: string) => {
    const { bavail, blocks, bsize } = await files.statfs(path);
    return { bavail: disk.isFull ? 0 : bavail, blocks, bsize };
  };
  return { ...files, statfs };
});

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

  it('is refused on a full disk, with nothing left behind, and made when there is room again', async () => {
    const made = async () => (await app.store.audit.findBy('action', 'backup.create')).length;
    const before = await made();
    disk.isFull = true;
    const { status, body } = await admin.post(PATH);
    disk.isFull = false;
    expect([status, body.code]).toEqual([507, 'DISK_FULL']);
    expect([left(), await made()]).toEqual([[], before]);
    app.advance(2_000);
    expect((await admin.post(PATH)).status).toBe(200);
    expect([left().length, await made()]).toEqual([1, before + 1]);
  });

  it('is refused where the data is on a database server', async () => {
    const { store, folder } = app;
    const deps = { store, database: 'postgres', dataDir: folder, temporaryFolder: folder, clock: Date.now };
    await expect(new BackupDownloads(deps).make({} as Call<'admin'>)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });
});
