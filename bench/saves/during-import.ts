import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { drained, send } from '../granules-http/client.ts';
import { newKapsule } from '../granules-http/set-up.ts';

const ROWS = 200_000;
const WRITERS = 20;
const IDLE_MS = 5_000;

const p90 = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.9)] ?? Number.NaN;

/** How long a save waits while 20 writers save and nothing else runs, and while an import runs into a kapsule of its own. */
export async function saveDuringImport(
  url: string,
  token: string,
  kapsules: readonly string[],
): Promise<{ idle: number; during: number }> {
  const bench = { url, token };
  const importKapsule = await newKapsule(bench, 'Imported');
  const over = new AbortController();
  let waits: number[] = [];
  let count = 0;
  async function write(writer: number): Promise<void> {
    while (!over.signal.aborted) {
      count += 1;
      const granules = [{ key: `during ${count}`, data: { comment: `Comment ${count}` } }];
      const began = performance.now();
      const path = `/api/kapsule/${kapsules[writer % kapsules.length]}/granules`;
      const body = JSON.stringify({ granules });
      await drained(await send(bench, path, { method: 'PUT', type: 'application/json', body }));
      waits.push(performance.now() - began);
      await setTimeout(20);
    }
  }
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  const uploader = fork(new URL('../granules-http/uploader.ts', import.meta.url), [String(ROWS)]);
  await once(uploader, 'message');
  waits = [];
  await setTimeout(IDLE_MS);
  const idle = p90(waits);
  waits = [];
  uploader.send({ bench, id: importKapsule });
  const [{ failure }] = (await once(uploader, 'message')) as [{ failure?: string }];
  if (failure) throw new Error(failure);
  const during = p90(waits);
  over.abort();
  await writing;
  uploader.send('stop');
  return { idle, during };
}
