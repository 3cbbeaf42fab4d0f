import { setTimeout } from 'node:timers/promises';
import type { Transferable } from 'node:worker_threads';
import type { GranuleRows } from '../../../granules.ts';
import { newId } from '../../../ids.ts';
import { PackedRows } from '../../../packed-rows.ts';
import { inBatches } from '../../shared/granule-batches.ts';
import type { GranuleMethod } from './commands.ts';

const RENEW_MS = 10_000;
const WAIT_MS = 100;

type Call = (method: GranuleMethod, args: unknown[], transferred?: Transferable[]) => Promise<unknown>;

/** Stores the rows invisibly, batch by batch, then publishes them; `publish` runs the unit of work for that. */
export async function importAll(
  call: Call,
  owner: string,
  kapsuleId: string,
  rows: GranuleRows,
  publish: (importArgs: [kapsuleId: string, name: string], stored: number) => Promise<void>,
): Promise<number> {
  const args: [string, string] = [kapsuleId, `${owner}/${newId()}`];
  await begin(call, args);
  // The lease is renewed by a timer, because the rows may arrive slowly.
  const renewal = setInterval(() => void call('renewImport', args).catch(() => undefined), RENEW_MS);
  try {
    const stored = await stageAll(call, args, rows);
    await publish(args, stored);
    return stored;
  } catch (error) {
    await call('dropImport', args).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

async function stageAll(call: Call, args: [string, string], rows: GranuleRows): Promise<number> {
  // While other writes wait, a batch is stored in pieces, and they run in between.
  const finish = async (staging: Promise<unknown>) => {
    for (let left = await staging; left !== 0; ) left = await call('stageRest', args);
  };
  if (!(rows instanceof PackedRows))
    return inBatches(rows, (batch) => finish(call('stageRows', [...args, batch])));
  let stored = 0;
  for await (const { bytes, rows: count } of rows.batches) {
    await finish(call('stagePacked', [...args, bytes], [bytes.buffer]));
    stored += count;
  }
  return stored;
}

/** Waits while another import into the same kapsule runs, and removes the rows of a failed one. */
async function begin(call: Call, args: [string, string]): Promise<void> {
  for (;;) {
    const state = await call('beginImport', args);
    if (state === 'ready') return;
    if (state === 'leftovers') await call('sweepImports', []);
    else await setTimeout(WAIT_MS);
  }
}
