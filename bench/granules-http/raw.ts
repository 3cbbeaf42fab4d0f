import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openEmbeddedStore } from '@kaptain/store';
import { comments } from '../granules-store/rows.ts';
import { timed } from '../granules-store/watch.ts';

/** The store without the service, on the same database: the baseline for HTTP. */
const store = await openEmbeddedStore({ file: join(process.argv[2] ?? '', 'kaptain.db') });
let count = 0;

async function lines(kapsuleId: string): Promise<void> {
  let characters = 0;
  for await (const chunk of store.granules.stream(kapsuleId, {})) characters += chunk.length;
  if (characters === 0) throw new Error('The stream was empty.');
}

const jobs: Record<string, (value: string) => Promise<unknown>> = {
  insert: (rows) => store.granules.bulkUpsert(`raw ${++count}`, comments(Number(rows), 'ORD')),
  stream: lines,
};

async function handle({ job, value }: { job: string; value: string }): Promise<void> {
  if (job === 'stop') {
    await store.close();
    process.exit(0);
  }
  const ms = await timed(() => jobs[job]?.(value) ?? Promise.resolve());
  // Waits for the index, which would otherwise slow down the next measurement.
  for (let mark = ''; mark !== (await store.changeMark()); ) {
    mark = await store.changeMark();
    await setTimeout(1500);
  }
  process.send?.({ ms });
}

process.on('message', (message: { job: string; value: string }) => void handle(message));
process.send?.({ ready: true });
