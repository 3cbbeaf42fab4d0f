import { z } from 'zod';
import type { KaptainClient } from './kaptain-client.ts';
import { linesOf } from './lines.ts';

/** A granule as the data API reads it. */
const ReadGranule = z.looseObject({
  _id: z.string(),
  key: z.string(),
  user: z.string(),
  data: z.record(z.string(), z.unknown()),
  reloaded: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  version: z.number(),
});
export type ReadGranule = z.infer<typeof ReadGranule>;

export interface GranuleReading {
  /** Marks the last change of this reading: `since` of the next one, and what `dataApi.confirmReload` confirms. */
  watermark: string;
  /** One at a time, as they arrive: a million of them need no more memory than a few. */
  granules: AsyncIterable<ReadGranule>;
}

/** Reads the granules of a kapsule: all, or those that changed since the watermark of an earlier reading. */
export async function readGranules(
  { dataApi }: KaptainClient,
  kapsuleId: string,
  { since, signal }: { since?: string; signal?: AbortSignal } = {},
): Promise<GranuleReading> {
  const answer = await dataApi.read(
    { params: { id: kapsuleId }, query: { format: 'ndjson', since } },
    signal ? { signal } : {},
  );
  const watermark = answer.headers.get('x-kaptain-watermark');
  if (watermark === null || answer.body === null) throw new Error('The answer has no watermark.');
  return { watermark, granules: parsed(linesOf(answer.body)) };
}

async function* parsed(lines: AsyncIterable<string>): AsyncGenerator<ReadGranule> {
  for await (const line of lines) yield ReadGranule.parse(JSON.parse(line));
}
