/**
 * `npm run release:smoke:windows`: installs the setup for Windows, uses, upgrades and removes it. It runs on Windows, and
 * elsewhere under Wine 10 or later, which does not prove everything: the rights on folders, the account of the service, its start with
 * Windows and after a crash, and the pages of the setup.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { command, SetupError, say } from '../../setup/project.mjs';
import { freePort } from './free-port.ts';
import type { Running } from './installation.ts';
import { releaseFile } from './release-folder.ts';
import { keysOf, stopUnderLoad, useIt } from './steps.ts';

const onWindows = process.platform === 'win32';
const PROGRAM = 'C:\\Program Files\\Kaptain';
const SERVICE = `${PROGRAM}\\kaptain-service.exe`;
const DATA = 'C:\\ProgramData\\Kaptain';
const PATIENCE_MS = 120_000;

async function until(isSo: () => boolean | Promise<boolean>, problem: () => string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await isSo()); await setTimeout(100))
    assert.ok(performance.now() < end, problem());
}

/** Under Wine only what it needs: programs of Windows get the variables of this computer, and Wine crashes on some of them. */
const environment = (home: string): NodeJS.ProcessEnv =>
  onWindows
    ? process.env
    : {
        PATH: process.env['PATH'],
        HOME: home,
        WINEPREFIX: join(home, 'wine'),
        WINEDEBUG: '-all',
        DISPLAY: '',
      };

/** An installation on drive C, which under Wine is a folder. */
class WindowsInstallation {
  readonly #home: string;
  readonly #url: string;

  constructor(home: string, port: number) {
    this.#home = home;
    this.#url = `http://localhost:${port}`;
  }

  /** Where this script finds a file of drive C. */
  file(path: string): string {
    return onWindows ? path : path.replace('C:', join(this.#home, 'wine', 'drive_c')).replaceAll('\\', '/');
  }

  /** Runs a program of Windows; its output is not read, because processes that it starts keep it open. */
  async run(program: string, ...args: string[]): Promise<number | null> {
    const [file, ...given] = onWindows ? [program, ...args] : ['wine', program, ...args];
    const child = spawn(file ?? '', given, {
      cwd: this.#home,
      env: environment(this.#home),
      stdio: 'ignore',
    });
    return new Promise((resolve, reject) => {
      child.once('error', () =>
        reject(new SetupError(`The program ${file} can not be started; is it installed?`)),
      );
      child.once('exit', resolve);
    });
  }

  async must(program: string, ...args: string[]): Promise<void> {
    const code = await this.run(program, ...args);
    assert.equal(code, 0, `${program} ${args.join(' ')} ended with ${code}`);
  }

  command(...args: string[]): Promise<void> {
    return this.must('cmd', '/c', `${PROGRAM}\\kaptain.cmd`, ...args);
  }

  async start(): Promise<Running> {
    await this.must(SERVICE, 'install');
    return this.running();
  }

  #log(): string {
    const file = this.file(`${DATA}\\service.log`);
    return existsSync(file) ? readFileSync(file, 'utf8') : 'There is no service.log.';
  }

  /** The service once it is ready. */
  async running(): Promise<Running> {
    const isReady = () =>
      fetch(`${this.#url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isReady, () => `The service did not become ready:\n${this.#log()}`);
    return { url: this.#url, stop: () => this.run(SERVICE, 'stop') };
  }
}

async function smoke(setup: string, home: string): Promise<void> {
  const port = await freePort();
  const installation = new WindowsInstallation(home, port);
  const data = installation.file(DATA);
  if (existsSync(data)) throw new SetupError(`There is an installation already: ${data}.`);
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'kaptain.json'), JSON.stringify({ port }));
  await installation.must(setup, '/S');
  say('installed by the setup');
  const running = await installation.running();
  const id = await useIt(running);
  say('  settings restart: answered');
  await stopUnderLoad(installation, running, id);
  await installation.start();
  await installation.command('backup', `${DATA}\\backup.kaptain`);
  await installation.command('audit', 'verify');
  say('  backup and audit: done while the service runs');
  const driver = join(installation.file(PROGRAM), 'drivers', 'example', 'index.js');
  mkdirSync(dirname(driver), { recursive: true });
  writeFileSync(driver, '');
  await installation.must(setup, '/S');
  assert.ok(existsSync(driver), 'The upgrade has removed a driver.');
  assert.ok((await keysOf(await installation.running(), id)).has('A-1'));
  say('  upgraded by the setup, which stopped the service first: all there');
  // It goes on in a copy of itself, because Windows does not delete a running program.
  await installation.must(`${PROGRAM}\\uninstall.exe`, '/S');
  await until(
    () => !existsSync(installation.file(PROGRAM)),
    () => 'The program was not removed.',
  );
  assert.ok(existsSync(join(data, 'kaptain.db')));
  say('  program and driver removed: the data stays');
}

await command(async () => {
  const setup = releaseFile('windows-x64-setup.exe');
  const home = mkdtempSync(join(tmpdir(), 'kaptain-smoke-'));
  try {
    await smoke(setup, home);
    return 0;
  } finally {
    if (!onWindows) {
      const ended = spawn('wineserver', ['-k'], { env: environment(home) });
      await new Promise((resolve) => ended.once('error', resolve).once('exit', resolve));
    }
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
});
