import { setTimeout } from 'node:timers/promises';
import type { Transferable } from 'node:worker_threads';
import type { GranuleRows } from '../../../granules.ts';
import { PackedRows } from '../../../packed-rows.ts';
import { inBatches } from '../../shared/granule-batches.ts';
import type { GranuleMethod } from './commands.ts';
import type { ReceivedRows } from './import.ts';

const RENEW_MS = 10_000;
const WAIT_MS = 100;

type ImportArgs = [kapsuleId: string, importName: string];

/** How an import reaches the threads of the store. */
export interface ImportSteps {
  /** In a transaction of its own. */
  call: (method: GranuleMethod, args: unknown[]) => Promise<unknown>;
  /** Beside the transactions of others. */
  receive: (importName: string, rows: ReceivedRows, transferred?: Transferable[]) => Promise<unknown>;
  /** In a unit of work. */
  publish: (args: ImportArgs, stored: number) => Promise<void>;
}

/** Stores the rows invisibly, batch by batch, then publishes them. */
export async function importAll(steps: ImportSteps, args: ImportArgs, rows: GranuleRows): Promise<number> {
  await begin(steps, args);
  // The lease is renewed by a timer, because the rows may arrive slowly.
  const renewal = setInterval(() => void steps.call('renewImport', args).catch(() => undefined), RENEW_MS);
  try {
    const stored = await stageAll(steps, args, rows);
    await steps.publish(args, stored);
    return stored;
  } catch (error) {
    await steps.call('dropImport', args).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

async function stageAll(
  { call, receive }: ImportSteps,
  args: ImportArgs,
  rows: GranuleRows,
): Promise<number> {
  const stage = async (batch: ReceivedRows, transferred?: Transferable[]) => {
    await receive(args[1], batch, transferred);
    // While other writes wait, a batch is stored in pieces, and they run in between.
    while ((await call('stageRows', args)) !== 0);
  };
  if (!(rows instanceof PackedRows)) return inBatches(rows, (batch) => stage(batch));
  let stored = 0;
  for await (const { bytes, rows: count } of rows.batches) {
    await stage(bytes, [bytes.buffer]);
    stored += count;
  }
  return stored;
}

/** Waits while another import into the same kapsule runs, and removes the rows of a failed one. */
async function begin({ call }: ImportSteps, args: ImportArgs): Promise<void> {
  for (;;) {
    const state = await call('beginImport', args);
    if (state === 'ready') return;
    if (state === 'leftovers') await call('sweepImports', []);
    else await setTimeout(WAIT_MS);
  }
}
