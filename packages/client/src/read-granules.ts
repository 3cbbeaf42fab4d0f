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
  deleted: z.undefined().optional(),
});
export type ReadGranule = z.infer<typeof ReadGranule>;

/** A granule that was deleted since the watermark: a program's copy under this key is out of date. */
const DeletedGranule = z.looseObject({
  _id: z.string(),
  key: z.string(),
  deleted: z.literal(true),
  deletedAt: z.string(),
});
export type DeletedGranule = z.infer<typeof DeletedGranule>;

export interface GranuleReading<Read = ReadGranule> {
  /** Marks the last change of this reading: `since` of the next one, and what `dataApi.confirmReload` confirms. */
  watermark: string;
  /** How many granules were deleted since the watermark of the earlier reading; undefined without `since`. */
  deleted: number | undefined;
  /** One at a time, as they arrive: a million of them need no more memory than a few. */
  granules: AsyncIterable<Read>;
}

export interface ReadOptions {
  /**
   * The watermark of an earlier reading of the same kapsule; `0` is before the first change. After a restore of the service
   * an earlier one fails with the code WATERMARK_OUTDATED: clear what was kept, and read all granules.
   */
  since?: string;
  /** Reads deleted granules too, each in the place of its deletion in the order of changes. */
  deletions?: boolean;
  signal?: AbortSignal;
}

/** Reads the granules of a kapsule: all, or those that changed since the watermark of an earlier reading. */
export function readGranules(
  client: KaptainClient,
  kapsuleId: string,
  options: ReadOptions & { deletions: true },
): Promise<GranuleReading<ReadGranule | DeletedGranule>>;
export function readGranules(
  client: KaptainClient,
  kapsuleId: string,
  options?: ReadOptions & { deletions?: false },
): Promise<GranuleReading>;
export async function readGranules(
  { dataApi }: KaptainClient,
  kapsuleId: string,
  { since, deletions = false, signal }: ReadOptions = {},
): Promise<GranuleReading<ReadGranule | DeletedGranule>> {
  const query = { format: 'ndjson', since, ...(deletions && { deletions: 'true' as const }) } as const;
  const answer = await dataApi.read({ params: { id: kapsuleId }, query }, signal ? { signal } : {});
  const watermark = answer.headers.get('x-kaptain-watermark');
  if (watermark === null || answer.body === null) throw new Error('The answer has no watermark.');
  const deleted = answer.headers.get('x-kaptain-deleted');
  const schema = deletions ? z.union([DeletedGranule, ReadGranule]) : ReadGranule;
  return {
    watermark,
    deleted: deleted === null ? undefined : Number(deleted),
    granules: parsed(linesOf(answer.body), schema),
  };
}

async function* parsed<Read>(lines: AsyncIterable<string>, schema: z.ZodType<Read>): AsyncGenerator<Read> {
  for await (const line of lines) yield schema.parse(JSON.parse(line));
}
