import { setTimeout } from 'node:timers/promises';
import type { Transferable } from 'node:worker_threads';
import type { GranuleRows } from '../../../granules.ts';
import { PackedRows } from '../../../packed-rows.ts';
import { inBatches } from '../../shared/granule-batches.ts';
import { IMPORT_RENEWAL_MS, IMPORT_WAIT_MS } from '../tuning.ts';
import type { GranuleMethod } from './commands.ts';
import type { ReceivedRows } from './import.ts';

/** For an hour. */
const [DROP_MS, DROP_TRIES] = [1_000, 3_600];

type ImportArgs = [kapsuleId: string, importName: string];

/** How an import reaches the background thread of the store. */
export interface ImportSteps {
  /** Runs the method as one transaction; other writes wait for it. */
  call: (method: GranuleMethod, args: unknown[]) => Promise<unknown>;
  /** Hands rows over, which `stageRows` stores; no other write waits for it. */
  receive: (importName: string, rows: ReceivedRows, transferred?: Transferable[]) => Promise<unknown>;
  /** Makes all rows visible, in one unit of work with the audit entry. Very many known keys are replaced afterwards. */
  publish: (args: ImportArgs, stored: number) => Promise<void>;
}

/**
 * Stores the rows invisibly, batch by batch, then publishes them. A lease keeps other imports out of the kapsule; when it is not renewed
 * for a minute, because the process has died, the next import removes the rows.
 */
export async function importAll(steps: ImportSteps, args: ImportArgs, rows: GranuleRows): Promise<number> {
  await begin(steps, args);
  // By a timer, because the rows may arrive slowly; a failed renewal is followed by another one.
  const renewal = setInterval(
    () => void steps.call('renewImport', args).catch(() => undefined),
    IMPORT_RENEWAL_MS,
  );
  try {
    const stored = await stageAll(steps, args, rows);
    await steps.publish(args, stored);
    await replaceAll(steps, args);
    return stored;
  } catch (error) {
    await drop(steps, args);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/** The rows are published, so this never fails: what can't be replaced now, on a full disk for example, maintenance replaces later. */
async function replaceAll(steps: ImportSteps, args: ImportArgs): Promise<void> {
  try {
    while (await steps.call('replaceMore', [args[0]]));
  } catch {
    await drop(steps, args);
  }
}

async function drop(steps: ImportSteps, args: ImportArgs): Promise<void> {
  await steps.call('dropImport', args).catch(() => void dropLater(steps, args));
}

/** On a full disk, or while another process holds the file: otherwise the lease would keep out all later imports. */
async function dropLater({ call }: ImportSteps, args: ImportArgs): Promise<void> {
  for (let tries = 0; tries < DROP_TRIES; tries += 1) {
    await setTimeout(DROP_MS, undefined, { ref: false });
    try {
      await call('dropImport', args);
      return;
    } catch {
      // The next try.
    }
  }
}

async function stageAll(
  { call, receive }: ImportSteps,
  args: ImportArgs,
  rows: GranuleRows,
): Promise<number> {
  const stage = async (batch: ReceivedRows, transferred?: Transferable[]) => {
    await receive(args[1], batch, transferred);
    // It returns how many rows are left: while other writes wait, a batch is stored in pieces, and they run in between.
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
    else await setTimeout(IMPORT_WAIT_MS);
  }
}
