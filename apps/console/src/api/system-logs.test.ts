import { describe, expect, test, vi } from 'vitest';
import { type Answers, fakeService, refuse } from '../testing/fake-service.ts';
import { readLog } from './system-logs.ts';

const file = { kind: 'app' as const, fileName: 'app-current.log' };
const { signal } = new AbortController();
const serve = (systemLogs: NonNullable<Answers['systemLogs']>) => {
  const service = fakeService({ systemLogs });
  vi.stubGlobal('fetch', service.fetch);
  return service;
};

describe('reading a log file', () => {
  test('starts at its end, and then appends only what was added after the cursor', async () => {
    const cursors: (string | undefined)[] = [];
    serve({
      tail: ({ query }) => {
        cursors.push(query?.cursor);
        return query?.cursor === undefined
          ? { text: 'one\n', isCut: true, cursor: '1.4' }
          : { text: 'two\n', isCut: false, cursor: '1.8' };
      },
    });
    const before = await readLog(file, undefined, signal);
    const after = await readLog(file, before, signal);
    expect(after).toEqual({ text: 'one\ntwo\n', isCut: true, cursor: '1.8' });
    expect(cursors).toEqual([undefined, '1.4']);
  });

  test('begins again when the service has cut the file, and keeps the last 4 MiB in whole lines', async () => {
    const line = `${'x'.repeat(1023)}\n`;
    const before = { text: line.repeat(4096), isCut: false, cursor: '1.4' };
    serve({ tail: () => ({ text: 'new file\n', isCut: true, cursor: '2.9' }) });
    expect((await readLog(file, before, signal)).text).toBe('new file\n');
    serve({ tail: () => ({ text: 'last\n', isCut: false, cursor: '1.9' }) });
    const after = await readLog(file, before, signal);
    expect([after.text.startsWith(line), after.text.endsWith('last\n'), after.isCut]).toEqual([
      true,
      true,
      true,
    ]);
    expect(after.text.length).toBeLessThanOrEqual(4 * 1024 * 1024);
  });

  test('reads the whole file of a service without tails, and fails as the service does', async () => {
    serve({ content: () => 'plain line\n' });
    expect(await readLog(file, undefined, signal)).toEqual({ text: 'plain line\n', isCut: false });
    const service = serve({ tail: () => refuse('INTERNAL', 'Broken inside.') });
    await expect(readLog(file, undefined, signal)).rejects.toThrow('Broken inside.');
    expect(service.callsOf('systemLogs.content')).toEqual([]);
  });
});
