import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { SettingsUpdate } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { canMountDisks, smallDisk } from '../../../../../tools/test-servers/small-disk.ts';
import { makeFolder } from '../../base/config/make-folder.ts';
import { CertificateFiles } from '../../base/config/settings/certificate-files.ts';
import { openSettings } from '../../base/config/settings.ts';
import { pepperIn } from '../../base/secrets/pepper.ts';
import { comparePepper } from '../../base/secrets/pepper-mark.ts';
import { testCertificate } from '../../testing/certificates.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { kaptain } from '../../testing/run-command.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { testApp } from '../../testing/test-app.ts';
import { doctor } from './doctor.ts';

/** Saves settings with HTTPS and these files, as they would be after years, or after files were exchanged by hand. */
function saveHttps(dataDir: string, certificate: string, key = 'server_key.pem'): void {
  const certificates = new CertificateFiles(dataDir);
  const stored = (as: 'server.pem' | 'server_key.pem', name: string) =>
    certificates.keepServerFile(as, Buffer.from(testCertificate(name)));
  openSettings({ dataDir }).generations.add({
    at: new Date().toISOString(),
    by: { action: 'settings.update', userId: null, username: null, ip: '', requestId: '' },
    changed: [],
    settings: SettingsUpdate.parse({ settings: { https: true } }),
    files: {
      'server.pem': stored('server.pem', certificate),
      'server_key.pem': stored('server_key.pem', key),
    },
  });
}

/** A free port, so that no test depends on port 8000. */
const onFreePort = (dataDir: string) => ({ KAPTAIN_DATA_DIR: dataDir, KAPTAIN_PORT: '0' });

describe('kaptain doctor', () => {
  it('finds nothing wrong with a service that runs', async () => {
    await using app = await testApp();
    await app.asAdmin();
    const port = await listenLocally(app.http);
    const { isDone, message } = await doctor({ KAPTAIN_DATA_DIR: app.folder, KAPTAIN_PORT: String(port) });
    expect(isDone).toBe(true);
    const lines = message.split('\n');
    expect(lines).toContain(`ok       Port: The service answers on port ${port}.`);
    expect(lines).toContain(`ok       Data folder: ${app.folder} can be written to.`);
    expect(lines).toContainEqual(expect.stringMatching(/^ok {7}Database: .* can be used\.$/));
    expect(lines).toContain('ok       Clock: It agrees with the times in the database.');
    expect(lines).toContainEqual(expect.stringMatching(/^WARNING {2}Last backup: None has been made yet/));
    expect(lines).toContainEqual(expect.stringMatching(/^WARNING {2}Platform: No platform is connected/));
    expect(lines.at(-1)).toMatch(/^0 errors, \d warnings\.$/);
  });

  it('exits with 1 and says what to do when another program has the port', async () => {
    using folder = temporaryFolder();
    // Also when that program answers every request with 200.
    const other = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const { isDone, message } = await doctor({ KAPTAIN_DATA_DIR: folder.path, KAPTAIN_PORT: String(port) });
    other.close();
    expect(isDone).toBe(false);
    expect(message).toContain(`ERROR    Port: Port ${port} is already in use. Stop the other program`);
  });

  it('reports a service that runs without its database', async () => {
    await using app = await testApp();
    const port = await listenLocally(app.http);
    await app.store.close();
    const { isDone, message } = await doctor({ KAPTAIN_DATA_DIR: app.folder, KAPTAIN_PORT: String(port) });
    expect(isDone).toBe(false);
    expect(message).toContain(`ERROR    Port: The service answers on port ${port}, but can not work`);
  });

  it.each([
    ['expired.pem', 'server_key.pem', /Certificate: The server certificate expired on \d{4}-\d\d-\d\d\./],
    [
      'server.pem',
      'other_key.pem',
      /Certificate: The server key does not belong to the server certificate\./,
    ],
    ['future.pem', 'server_key.pem', /Certificate: The server certificate is not valid before/],
  ])('reports a certificate that browsers refuse: %s with %s', async (certificate, key, sentence) => {
    using folder = temporaryFolder();
    saveHttps(folder.path, certificate, key);
    const { isDone, message } = await doctor(onFreePort(folder.path));
    expect(isDone).toBe(false);
    expect(message).toMatch(sentence);
    expect(message).toContain('Upload a valid one in the settings.');
  });

  it('warns of a certificate for another name', async () => {
    using folder = temporaryFolder();
    saveHttps(folder.path, 'server.pem');
    writeFileSync(
      join(folder.path, 'kaptain.json'),
      JSON.stringify({ publicHosts: ['kaptain.example.org'] }),
    );
    const { message } = await doctor(onFreePort(folder.path));
    expect(message).toContain('WARNING  Certificate: It is not valid for kaptain.example.org');
  });

  it('reports a clock that is behind the times in the database', async () => {
    await using app = await testApp();
    app.setClock(86_400_000);
    await app.asAdmin();
    const { isDone, message } = await doctor(onFreePort(app.folder));
    expect(isDone).toBe(false);
    expect(message).toMatch(/ERROR {4}Clock: It shows .*, but the newest audit entry is of .*time server\./);
  });

  it('reports a database file that is none, damaged settings, and a configuration with a mistake', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'kaptain.db'), 'this is no database '.repeat(100));
    const noDatabase = await doctor(onFreePort(folder.path));
    expect([noDatabase.isDone, noDatabase.message]).toEqual([
      false,
      expect.stringMatching(/ERROR {4}Database: /),
    ]);
    rmSync(join(folder.path, 'kaptain.db'));
    saveHttps(folder.path, 'server.pem');
    writeFileSync(join(folder.path, 'settings', '000001.json'), 'damaged');
    const damaged = await doctor(onFreePort(folder.path));
    expect([damaged.isDone, damaged.message]).toEqual([
      false,
      expect.stringContaining('ERROR    Settings: '),
    ]);
    expect(await doctor({ KAPTAIN_DATA_DIR: folder.path, KAPTAIN_PORT: 'eight' })).toMatchObject({
      isDone: false,
      message: expect.stringContaining('ERROR    Configuration: KAPTAIN_PORT must be a port number'),
    });
  });

  it.runIf(process.platform !== 'win32')('warns of keys that other accounts can read', async () => {
    await using app = await testApp();
    await app.asAdmin();
    const key = join(app.folder, 'keys', 'exposed.key');
    writeFileSync(key, 'secret');
    chmodSync(key, 0o644);
    const { isDone, message } = await doctor(onFreePort(app.folder));
    expect(isDone).toBe(true);
    expect(message).toContain(`WARNING  Data folder: ${key} can be read by other accounts`);
  });

  it('reports keys of another installation as an error, also when the folder of the keys is gone', async () => {
    await using app = await testApp();
    await app.asAdmin();
    await comparePepper(app.store, pepperIn(join(app.folder, 'keys'))(), { warn: () => undefined });
    const good = await doctor(onFreePort(app.folder));
    expect(good.message).toContain('ok       Keys: They fit the database.');
    const other = await doctor({ ...onFreePort(app.folder), KAPTAIN_PEPPER: 'x'.repeat(32) });
    expect([other.isDone, other.message]).toEqual([
      false,
      expect.stringContaining('ERROR    Keys: This database was used'),
    ]);
    expect(other.message).toMatch(/ok {7}Database: .* can be used\.\n/);
    rmSync(join(app.folder, 'keys'), { recursive: true });
    expect((await doctor(onFreePort(app.folder))).message).toContain('ERROR    Keys: ');
  });

  it('warns of settings that are not used, and of a variable that is not known', async () => {
    using folder = temporaryFolder();
    saveHttps(folder.path, 'server.pem');
    const { generations } = openSettings({ dataDir: folder.path });
    generations.setMark(1, { status: 'rejected', at: '', reason: 'HTTPS can not be started.' });
    const { message } = await doctor({ ...onFreePort(folder.path), KAPTAIN_PRT: '8000' });
    expect(message).toMatch(
      /WARNING {2}Settings: .*generation 1.* are not used.*HTTPS can not be started\. It uses the defaults/,
    );
    expect(message).toMatch(/WARNING {2}Environment: .*KAPTAIN_PRT.*KAPTAIN_PORT\./);
  });

  it('says with which settings the next start begins, and whether the service has ever started with them', async () => {
    using folder = temporaryFolder();
    const found = async () =>
      (await doctor(onFreePort(folder.path))).message.match(/(?<=\n)\w+ +Settings: .*/)?.[0];
    expect(await found()).toBe('ok       Settings: The next start uses the defaults.');
    saveHttps(folder.path, 'expired.pem');
    const next = 'Settings: The next start uses generation 1, saved .*Z\\.';
    expect(await found()).toMatch(new RegExp(`^WARNING  ${next} The service has never started with it\\.$`));
    const { generations } = openSettings({ dataDir: folder.path });
    generations.setMark(1, { status: 'failed', at: '', reason: 'The certificate expired.' });
    expect(await found()).toMatch(
      new RegExp(`^WARNING  ${next} The last start with it failed: The certificate expired\\.$`),
    );
    generations.setMark(1, { status: 'applied', at: '', reason: null });
    expect(await found()).toMatch(new RegExp(`^ok       ${next}$`));
  });

  it.runIf(canMountDisks())('does not blame the rights when the file system is read-only', async () => {
    using folder = temporaryFolder();
    const disk = join(folder.path, 'disk');
    const mounted = smallDisk(disk, 1, undefined);
    try {
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      for (const dataDir of [disk, join(disk, 'later')]) {
        const { isDone, message } = await doctor(onFreePort(dataDir));
        expect([isDone, message]).toEqual([
          false,
          expect.stringMatching(/ERROR {4}Data folder: .*disk is on a file system that is read-only/),
        ]);
        expect(message).not.toMatch(/the right to|give it to/);
      }
      expect(() => makeFolder(join(disk, 'later'))).toThrow('read-only');
    } finally {
      mounted.remove();
    }
  });

  it('creates nothing', async () => {
    using folder = temporaryFolder();
    await doctor(onFreePort(folder.path));
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('says that a data folder is a file, and that a missing one is made at the start', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    expect(await doctor(onFreePort(file))).toMatchObject({ isDone: false });
    const below = await doctor(onFreePort(join(file, 'below')));
    expect([below.isDone, below.message]).toEqual([
      false,
      expect.stringContaining(`${file} is not a folder`),
    ]);
    const { isDone, message } = await doctor(onFreePort(join(folder.path, 'later')));
    expect([isDone, message]).toEqual([true, expect.stringContaining('does not exist yet')]);
  });

  it('reports settings and keys that the account of the service can not open as findings', async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, 'settings', '000001.json'), { recursive: true });
    const unreadable = await doctor(onFreePort(folder.path));
    expect(unreadable).toMatchObject({ isDone: false, isReport: true });
    expect(unreadable.message).toContain('ERROR    Settings: ');
  });

  it
    .runIf(process.getuid?.() === 0)
    .each(['keys/api-keys.pepper', 'settings/000001.json', 'logs/app-current.log'])(
    'reports %s of another account',
    async (name) => {
      using folder = temporaryFolder();
      const file = join(folder.path, name);
      mkdirSync(dirname(file), { mode: 0o700 });
      writeFileSync(file, '{}', { mode: 0o600 });
      chownSync(file, 1, 1);
      const { isDone, message } = await doctor(onFreePort(folder.path));
      expect(isDone).toBe(false);
      expect(message).toContain(`ERROR    Data folder: ${file} belongs to another account`);
    },
  );

  it('is a command with an exit code', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'kaptain.db'), 'this is no database '.repeat(100));
    writeFileSync(join(folder.path, 'kaptain.json'), JSON.stringify({ port: 0 }));
    const { code, text } = await kaptain(folder.path, 'doctor');
    expect([code, text]).toEqual([1, expect.stringContaining('ERROR    Database: ')]);
  });
});
