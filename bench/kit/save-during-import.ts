import { setTimeout } from 'node:timers/promises';
import { write } from './client.ts';
import { newKapsule } from './kapsules.ts';
import { isTrial, rowsOr } from './options.ts';
import { besideOthers } from './others.ts';
import { type Running, startUploader } from './service.ts';
import { p90 } from './times.ts';

const ROWS = rowsOr(200_000);
const WRITERS = 20;
const IDLE_MS = isTrial ? 500 : 5_000;

/** How long a save waits while 20 writers save and nothing else runs, and while an import runs into a kapsule of its own. */
export async function saveDuringImport(
  { admin, listKapsules }: Running,
  kapsules: readonly string[],
): Promise<{ idle: number; during: number }> {
  const id = await newKapsule(admin, 'Imported');
  const uploader = await startUploader(ROWS);
  const over = new AbortController();
  let waits: number[] = [];
  let count = 0;
  async function save(writer: number): Promise<void> {
    while (!over.signal.aborted) {
      count += 1;
      const granules = [{ key: `during ${count}`, data: { comment: `Comment ${count}` } }];
      const began = performance.now();
      const path = `/api/kapsule/${kapsules[writer % kapsules.length]}/granules`;
      await write(admin, 'PUT', path, { granules });
      waits.push(performance.now() - began);
      await setTimeout(20);
    }
  }
  const saving = Promise.all(Array.from({ length: WRITERS }, (_, writer) => save(writer)));
  await setTimeout(IDLE_MS);
  const idle = p90(waits);
  const during = await besideOthers('an import (idle: 20 writers alone)', listKapsules, async () => {
    waits = [];
    const { failure } = await uploader.ask<{ failure?: string }>({ caller: admin, id });
    if (failure) throw new Error(failure);
    return p90(waits);
  });
  over.abort();
  await saving;
  await uploader.stop('stop');
  return { idle, during };
}
