import { describe, expect, test, vi } from 'vitest';
import { fakeService, refuse } from '../testing/fake-service.ts';
import { importKapsules } from './kapsules.ts';

const files = [new File(['{}'], 'a.kap'), new File(['{}'], 'b.kap')];
const importWith = (answer: () => Response) => {
  vi.stubGlobal('fetch', fakeService({ kapsules: { importMany: answer } }).fetch);
  return importKapsules(files);
};

describe('importing kapsules', () => {
  test('tells the new kapsule or the failure of each file', async () => {
    const results = [
      { file: 'a.kap', status: 'success', message: 'ok', kapsuleId: 'new-1' },
      { file: 'b.kap', status: 'failed', message: 'This is not a .kap file.' },
    ];
    expect(await importWith(() => Response.json(results))).toEqual([
      { file: 'a.kap', kapsuleId: 'new-1' },
      { file: 'b.kap', failure: 'This is not a .kap file.' },
    ]);
  });

  test('that fails as a whole tells the same of each file', async () => {
    expect(await importWith(() => refuse('TOO_LARGE', 'Too large.'))).toEqual([
      { file: 'a.kap', failure: 'Too large.' },
      { file: 'b.kap', failure: 'Too large.' },
    ]);
  });

  const lines = ['a.kap import successfully', 'b.kap import failed, log: no'];
  test.each([
    ['a list of lines', () => Response.json(lines)],
    ['a wrapped list', () => Response.json({ data: lines })],
    ['one text', () => new Response(lines.join('\n'), { headers: { 'content-type': 'text/plain' } })],
  ])('takes the results of another service as they come: %s', async (_, answer) => {
    expect(await importWith(answer)).toEqual(lines.map((line) => ({ line })));
  });
});
