import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type RunningService, startService } from '../e2e/fixtures/service.ts';
import { packClient } from '../tools/client/pack-client.ts';
import { runQuietly } from '../tools/setup/children.mjs';
import { npmCommand } from '../tools/setup/install.mjs';
import { root } from '../tools/setup/project.mjs';
import { isFullTest } from '../tools/test-size.ts';

let service: RunningService;
let key = '';

beforeAll(async () => {
  service = await startService({ settings: { settings: { apiKey: true } } });
  const admin = service.client(await service.withAdmin());
  ({ apikey: key } = await admin.apiKeys.generate());
  await admin.apiKeys.create({ body: { name: 'examples', apikey: key, mayDelete: true } });
});

afterAll(() => service.stop());

/** The commands of the README, unchanged. */
const commands = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('curl '));

/** Runs a command like curl, so that the test needs neither curl nor a shell. */
function run(command: string, values: Record<string, string | undefined>): Promise<Response> {
  const words = [...command.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) =>
      double !== undefined
        ? double.replace(/\$(\w+)/g, (_, name: string) => values[name] ?? '').replaceAll('\\"', '"')
        : (single ?? bare ?? ''),
  );
  const headers = new Headers();
  let [method, url, body]: [string, string, string | undefined] = ['GET', '', undefined];
  for (let index = 1; index < words.length; index++) {
    const word = words[index] ?? '';
    const next = () => words[++index] ?? '';
    if (word === '-X') method = next();
    else if (word === '-d') body = next();
    else if (word === '-H') headers.append(...(next().split(': ') as [string, string]));
    else url = word;
  }
  return fetch(url, { method, headers, ...(body !== undefined && { body }) });
}

it('the commands of the README do what it says', async () => {
  const values: Record<string, string | undefined> = { URL: service.url, KEY: key };
  const answers: [number, string][] = [];
  for (const command of commands) {
    const answer = await run(command, values);
    const text = await answer.text();
    answers.push([answer.status, text]);
    values['WATERMARK'] ??= answer.headers.get('x-kaptain-watermark') ?? undefined;
    values['ID'] ??= (JSON.parse(text) as { _id: string })._id;
  }
  expect(answers.map(([status]) => status)).toEqual([200, 200, 409, 200, 200, 200, 200, 200, 200, 200]);
  expect(answers[2]?.[1]).toContain('"storedData":{"Comment":"Confirmed","Amount":12.5}');
  expect(answers[3]?.[1]).toMatch(
    /^OrderID,Comment,Amount,CreatedBy,.*\r\nA-1,Confirmed,12.5,UserDirectory=CORP; UserId=jwe,/,
  );
  expect(answers[4]?.[1]).toBe('{"reloaded":2}');
  expect(answers[5]?.[1]).toBe('');
  expect(answers[6]?.[1]).toBe('[]');
  expect(answers[7]?.[1]).toContain('[Sales comments]:');
  expect(JSON.parse(answers[8]?.[1] ?? '')).toMatchObject([{ _id: values['ID'], name: 'Sales comments' }]);
  expect(answers[9]?.[1]).toBe('{"deleted":1}');
});

it.runIf(isFullTest)('the typed client, packed and installed as users do it, does the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-example-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const tarball = join(folder, 'kaptain-client.tgz');
  writeFileSync(tarball, await packClient(root, '9.8.7', 0));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  copyFileSync(join(import.meta.dirname, 'save-and-read.ts'), join(folder, 'save-and-read.ts'));
  const must = async (program: string, args: string[], options: object = {}) => {
    const { code, output } = await runQuietly(program, args, { cwd: folder, ...options });
    expect([code, output]).toEqual([0, output]);
    return output;
  };
  const { program, first, shell } = npmCommand();
  // Zod and the types of Node are taken from this repository, so that the test needs no registry.
  const here = ['zod', '@types/node', 'undici-types'].map((name) => join(root, 'node_modules', name));
  const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--install-links'];
  await must(program, [...first, 'install', ...quiet, tarball, ...here], { shell });
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  await must(process.execPath, [tsc, ...strict, 'save-and-read.ts']);
  const env = { ...process.env, KAPTAIN_URL: service.url, KAPTAIN_KEY: key };
  const { read, reloaded, conflict } = JSON.parse(
    await must(process.execPath, ['save-and-read.ts'], { env }),
  ) as Record<string, unknown>;
  expect(read).toMatchObject([
    { key: 'A-1', data: { Comment: 'Confirmed', Amount: 12.5 }, user: 'UserDirectory=CORP; UserId=Jürgen' },
    { key: 'A-2', data: { Comment: 'Late' } },
  ]);
  expect(reloaded).toBe(2);
  expect(conflict).toMatchObject({ conflicts: [{ key: 'A-1', givenVersion: 0, storedVersion: 1 }] });
});
