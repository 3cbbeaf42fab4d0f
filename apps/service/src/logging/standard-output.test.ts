import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProcess } from '../testing/service-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const linesOf = (output: string) =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('has every log line as JSON when asked: one per request, with the id that the caller got; a reader that goes does not stop the service', async () => {
  using folder = temporaryFolder();
  const env = { KAPTAIN_DATA_DIR: join(folder.path, 'data'), KAPTAIN_LOG_STDOUT: 'true' };
  using service = startProcess(env);
  await service.said(/is ready on/);
  const url = /http:\/\/localhost:\d+/.exec(service.output())?.[0] ?? '';
  const answers = await Promise.all(
    ['/api/user/status', '/api/kapsule', '/api/user'].map((path) => fetch(url + path)),
  );
  await service.said(/(?:"msg":"request"[^]*){3}\n/);
  const lines = linesOf(service.output());
  for (const line of lines) {
    expect(line).toMatchObject({ log: expect.stringMatching(/^(system|app)$/), level: expect.any(String) });
    expect(Date.parse(String(line['time']))).toBeGreaterThan(0);
  }
  const requests = lines.filter(({ msg }) => msg === 'request');
  expect(new Set(requests.map(({ requestId }) => requestId))).toEqual(
    new Set(answers.map(({ headers }) => headers.get('x-request-id'))),
  );
  expect(requests).toHaveLength(answers.length);

  service.child.stdout?.destroy();
  for (let count = 0; count < 20; count += 1) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});
