import { mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canMountDisks, smallDisk } from '../../../../../tools/test-servers/small-disk.ts';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { actionsOn, addKapsule } from '../../testing/kapsules.ts';
import { upload } from '../../testing/multipart.ts';
import { qvdBytes } from '../../testing/qvd.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { testApp } from '../../testing/test-app.ts';

const MiB = 1024 * 1024;

/** Many rows that share a few values, so that the file is small. */
const fileOf = (rows: number, letter = 'x') => ({
  name: 'a.qvd',
  field: 'files[]',
  content: qvdBytes(
    ['id', 'comment'],
    Array.from({ length: rows }, (_, n) => [String(n), `${n % 50}`.padEnd(100_000, letter)]),
  ),
});

describe.runIf(isFullTest && canMountDisks())('an import on a small disk', () => {
  it('is refused while a tenth of it is free, stores nothing, and other requests succeed', async () => {
    const folder = temporaryFolder();
    const root = join(folder.path, 'disk');
    const disk = smallDisk(root, 160, undefined);
    onTestFinished(() => {
      disk.remove();
      folder[Symbol.dispose]();
    });
    const data = join(root, 'data');
    mkdirSync(data);
    await using app = await testApp({ folder: data });
    const admin = await app.asAdmin();
    const { id } = await addKapsule(app.store, 'Sales');
    const send = (rows: number, letter?: string) =>
      upload(admin, `/api/kapsule/import/qvd/data?kapsuleId=${id}`, [fileOf(rows, letter)]);
    let least = Number.POSITIVE_INFINITY;
    const watch = setInterval(() => {
      const { bavail, bsize } = statfsSync(root);
      least = Math.min(least, bavail * bsize);
    }, 1);
    const { status, body } = await send(1_250);
    clearInterval(watch);
    expect([status, body.code]).toEqual([507, 'DISK_FULL']);
    // Half of the reserve, because the test samples the free space and may miss the lowest value.
    expect(least).toBeGreaterThan(8 * MiB);
    expect((await app.store.granules.counts(id)).total).toBe(0);
    expect(await actionsOn(app.store, 'kapsule', id)).toEqual([]);
    expect((await admin.get('/api/kapsule')).status).toBe(200);
    expect((await app.asAdmin()).token).toBeDefined();
    // The pages of the failed import in the database file are reused.
    expect((await send(100)).status).toBe(200);
    expect((await send(50, 'y')).status).toBe(200);
    expect((await app.store.granules.counts(id)).total).toBe(100);
    const { bavail, bsize } = statfsSync(root);
    expect(bavail * bsize).toBeGreaterThan(8 * MiB);
  });
});
