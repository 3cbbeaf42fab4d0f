import { setTimeout } from 'node:timers/promises';
import { openDataSource } from '@kaptain/data-sources';
import { binding } from './binding.ts';

/**
 * Runs in a fresh process: prints the size of a table as JSON lines in MB, and the peak of memory above the start while a
 * slow consumer reads them.
 */
const { type, block, table } = JSON.parse(process.argv[2] ?? '') as {
  type: 'postgresql' | 'mysql';
  block: Record<string, unknown>;
  table: string;
};
const source = openDataSource(type, block, { allowedFolders: [] });
await source.counts(binding(table));
const before = process.memoryUsage.rss();
let [peak, chunks, size] = [before, 0, 0];
for await (const chunk of source.stream(binding(table), {})) {
  size += chunk.length;
  if (++chunks % 5 === 0) await setTimeout(1);
  peak = Math.max(peak, process.memoryUsage.rss());
}
await source.close();
console.log(JSON.stringify({ sizeMB: size / 2 ** 20, aboveMB: (peak - before) / 2 ** 20 }));
