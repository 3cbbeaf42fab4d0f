import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { newPasswordFrom, type PasswordInput } from './operations/cli/password-input.ts';
import { appOfFile } from './testing/app-of-file.ts';
import { addPasskey } from './testing/passkeys.ts';
import { kaptain, runCommand } from './testing/run-command.ts';
import { challengeFor, finish, setUpFactor } from './testing/second-factor.ts';
import { PASSWORD, type TestApp, testApp } from './testing/test-app.ts';

const file = join(import.meta.dirname, 'kaptain.ts');
const newPassword = 'set on the host';
const shared = appOfFile();

/** Runs the real program in its own process. */
function program(
  args: string[],
  env: NodeJS.ProcessEnv = {},
  typed = '',
): Promise<{ code: number | null; text: string; errors: string }> {
  const child = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...env } });
  let [text, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    errors += chunk.toString();
  });
  child.stdin.end(typed);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, text, errors })));
}

/** A lock beyond the longest one would count as expired. */
const inTenMinutes = () => new Date(Date.now() + 600_000).toISOString();

const logIn = (app: TestApp, username: string, password: string) =>
  app.asNobody.post('/auth/login', { username, password });

describe('kaptain unlock', () => {
  it('ends a lock while the service runs, and names the host in the audit entry', async () => {
    const { app } = shared;
    await app.asUser('Vera', { loginAttempts: 5, lockCount: 3, lockTime: inTenMinutes() });
    expect((await logIn(app, 'vera', PASSWORD)).status).toBe(401);
    mkdirSync(join(app.folder, 'logs'));
    const log = join(app.folder, 'logs', 'app-current.log');
    writeFileSync(log, 'before\n');
    const { code, text } = await kaptain(app.folder, 'unlock', 'VERA');
    expect([code, text]).toEqual([0, 'Vera is unlocked and can log in again.']);
    expect((await logIn(app, 'vera', PASSWORD)).status).toBe(200);
    const [entry] = (await app.store.audit.findBy('action', 'user.unlock')).slice(-1);
    expect(entry).toMatchObject({ actor: 'host', actorId: null, targetName: 'Vera' });
    const [, line = '', ...more] = readFileSync(log, 'utf8').split('\n');
    expect(JSON.parse(line)).toMatchObject({ user: 'host', action: 'user.unlock', targetName: 'Vera' });
    expect(more).toEqual(['']);
  });

  it('prints one sentence and sets the exit code when it fails', async () => {
    const { app } = shared;
    expect(await kaptain(app.folder, 'unlock', 'nobody')).toEqual({
      code: 1,
      text: 'There is no user "nobody".',
    });
    const elsewhere = await kaptain(join(app.folder, 'nowhere'), 'unlock', 'vera');
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.text).toMatch(/^There is no database in .*KAPTAIN_DATA_DIR to its data folder\.$/);
    // The program itself: a failure that is returned, and one that is thrown.
    const [unknown, thrown, found] = await Promise.all([
      program(['drop']),
      program(['health'], { KAPTAIN_PORT: 'http' }),
      program(['doctor'], { KAPTAIN_PORT: 'http' }),
    ]);
    // Findings are the output of doctor, errors too; the exit code reports the errors.
    expect(found).toEqual({ code: 1, errors: '', text: expect.stringContaining('ERROR    Configuration: ') });
    expect([unknown.code, unknown.text]).toEqual([
      2,
      expect.stringMatching(/^There is no command "drop"\.\n/),
    ]);
    expect([thrown.code, thrown.text]).toEqual([1, expect.stringMatching(/^KAPTAIN_PORT must be .*\n$/)]);
    for (const args of [[], ['unlock'], ['unlock', 'a', 'b']])
      expect((await kaptain(app.folder, ...args)).code).toBe(2);
    const help = await kaptain(app.folder, 'help');
    expect([help.code, help.text]).toEqual([0, expect.stringContaining('reset-password <user>')]);
  });
});

describe('kaptain reset-second-factor', () => {
  it('lets a user log in with the password alone, and ends their sessions', async () => {
    const { app } = shared;
    const ann = await app.asUser('ann');
    const reset = (name: string) => kaptain(app.folder, 'reset-second-factor', name);
    expect(await reset('ann')).toEqual({ code: 0, text: expect.stringContaining('has no second factor') });
    expect((await reset('nobody')).code).toBe(1);
    await setUpFactor(app, ann);
    await addPasskey(ann, 'Phone');
    const challenge = await challengeFor(app, 'ann');
    expect(await reset('ANN')).toEqual({
      code: 0,
      text: 'ann logs in with the password alone; open sessions have ended.',
    });
    expect((await ann.get('/api/kapsule')).status).toBe(401);
    expect((await finish(app, challenge, '000000')).status).toBe(403);
    expect((await logIn(app, 'ann', PASSWORD)).status).toBe(200);
    // A passkey alone is a second factor too.
    await addPasskey(await app.asUser('ann'), 'Phone');
    expect((await reset('ann')).text).toContain('logs in with the password alone');
    expect((await logIn(app, 'ann', PASSWORD)).status).toBe(200);
    const [entry] = await app.store.audit.findBy('action', 'user.secondFactorReset');
    expect(entry).toMatchObject({ actor: 'host', targetName: 'ann' });
  });
});

describe('kaptain reset-password', () => {
  const reset = (folder: string, args: string[], typed: string) =>
    runCommand(['reset-password', ...args], { KAPTAIN_DATA_DIR: folder }, typed);

  it('sets the password read from standard input and ends the sessions, but no lock', async () => {
    await using app = await testApp();
    const vera = await app.asUser('vera');
    const [user] = await app.store.users.all();
    const id = user?.id ?? '';
    await app.store.users.patch(id, { lockTime: inTenMinutes() });
    const env = { KAPTAIN_DATA_DIR: app.folder };
    const { code, text } = await program(['reset-password', 'vera'], env, `${newPassword}\n`);
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(
        /^vera has a new password; open sessions have ended\..*still locked: npm run kaptain -- unlock vera.*\n$/,
      ),
    ]);
    // The host's account does not create a log that the service has not created.
    expect(existsSync(join(app.folder, 'logs'))).toBe(false);
    expect((await vera.get('/api/kapsule')).status).toBe(401);
    await app.store.users.patch(id, { lockTime: null });
    expect((await logIn(app, 'vera', newPassword)).status).toBe(200);
    const entries = await app.store.audit.findBy('action', 'user.update');
    expect(entries.map(({ actor, targetName }) => `${actor} ${targetName}`)).toEqual(['host vera']);
    expect(JSON.stringify(await app.store.audit.all())).not.toContain(newPassword);
  });

  it('refuses a bad password and takes none as an argument', async () => {
    const { app } = shared;
    await app.asUser('vera');
    const short = await reset(app.folder, ['vera'], 'short');
    expect(short).toEqual({ code: 1, text: 'Please use at least 8 characters as password!' });
    const obvious = await reset(app.folder, ['vera'], 'Vera2026');
    expect([obvious.code, obvious.text]).toEqual([
      1,
      expect.stringContaining('little more than the user name'),
    ]);
    expect((await reset(app.folder, ['vera', newPassword], '')).code).toBe(2);
    expect((await logIn(app, 'vera', PASSWORD)).status).toBe(200);
  });
});

describe('typing a password at the host', () => {
  function keyboard(...typed: string[]): { input: PasswordInput; modes: boolean[] } {
    const modes: boolean[] = [];
    const input: PasswordInput = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (on: boolean) => modes.push(on),
    });
    for (const text of typed) (input as PassThrough).write(text);
    return { input, modes };
  }
  const quietly = () => undefined;

  it('asks twice, without echo, and handles the backspace', async () => {
    const { input, modes } = keyboard('pässwörtX\u007f\r', 'pässwört\r');
    expect(await newPasswordFrom(input, quietly)).toEqual({ password: 'pässwört' });
    expect(modes).toEqual([true, false, true, false]);
  });

  it('refuses two different ones and stops at Ctrl-C', async () => {
    expect(await newPasswordFrom(keyboard('first one\r', 'another one\r').input, quietly)).toEqual({
      problem: 'The two passwords that you entered do not match!',
    });
    await expect(newPasswordFrom(keyboard('first\u0003').input, quietly)).rejects.toThrow(
      'nothing was changed',
    );
  });
});
