import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canMountDisks, smallDisk } from '../../../../../tools/test-servers/small-disk.ts';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { cheapPasswords, PASSWORD, testApp } from '../../testing/test-app.ts';

describe.runIf(isFullTest && canMountDisks())('a login during which the disk becomes full', () => {
  it('is answered with the reason, and a right password never counts as a wrong one', async () => {
    const folder = temporaryFolder();
    const disk = smallDisk(join(folder.path, 'disk'), 32, undefined);
    onTestFinished(() => {
      disk.remove();
      folder[Symbol.dispose]();
    });
    let isFilling = false;
    const passwords = {
      ...cheapPasswords,
      /** The attempt is counted already, but the session is not stored yet. */
      async verify(hash: string | undefined, password: string) {
        if (isFilling) disk.fill(0);
        return cheapPasswords.verify(hash, password);
      },
    };
    const data = join(folder.path, 'disk', 'data');
    mkdirSync(data);
    await using app = await testApp({ folder: data, passwords });
    await app.asAdmin();
    const logIn = (password = PASSWORD) => app.asNobody.post('/auth/login', { username: 'admin', password });
    for (let n = 0; n < 7; n++) {
      isFilling = true;
      const { status, body } = await logIn();
      expect([n, status, body.code]).toEqual([n, 507, 'DISK_FULL']);
      isFilling = false;
      disk.free(0);
    }
    for (let n = 0; n < 4; n++) expect((await logIn('wrong')).status).toBe(401);
    expect((await logIn()).status).toBe(200);
    const [admin] = await app.store.users.all();
    expect([admin?.loginAttempts, admin?.lockTime, admin?.lockCount]).toEqual([0, null, 0]);
    for (let n = 0; n < 5; n++) await logIn('wrong');
    expect((await logIn()).status).toBe(401);
  });
});
