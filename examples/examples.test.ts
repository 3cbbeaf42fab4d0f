import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningService, startService } from '../e2e/fixtures/service.ts';
import { saveAndRead } from './save-and-read.ts';

let service: RunningService;
let key = '';

beforeAll(async () => {
  service = await startService({ settings: { settings: { apiKey: true } } });
  const admin = service.client(await service.withAdmin());
  ({ apikey: key } = await admin.apiKeys.generate());
  await admin.apiKeys.create({ body: { name: 'examples', apikey: key } });
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
  expect(answers.map(([status]) => status)).toEqual([200, 200, 409, 200, 200, 200, 200]);
  expect(answers[2]?.[1]).toContain('"storedData":{"Comment":"Confirmed","Amount":12.5}');
  expect(answers[3]?.[1]).toMatch(
    /^OrderID,Comment,Amount,CreatedBy,.*\r\nA-1,Confirmed,12.5,UserDirectory=CORP; UserId=jwe,/,
  );
  expect(answers[4]?.[1]).toBe('{"reloaded":2}');
  expect(answers[5]?.[1]).toBe('');
  expect(answers[6]?.[1]).toContain('[Sales comments]:');
});

it('the typed client does the same', async () => {
  const { read, reloaded, conflict } = await saveAndRead(service.url, key);
  expect(read).toMatchObject([
    { key: 'A-1', data: { Comment: 'Confirmed', Amount: 12.5 } },
    { key: 'A-2', data: { Comment: 'Late' } },
  ]);
  expect(reloaded).toBe(2);
  expect(conflict).toMatchObject({ conflicts: [{ key: 'A-1', givenVersion: 0, storedVersion: 1 }] });
});
