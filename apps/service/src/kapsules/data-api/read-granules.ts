import type { api, Given } from '@kaptain/contract';
import type { KnownCall } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { Download } from '../../http/downloads/downloads.ts';
import { safeFileName } from '../../http/downloads/file-names.ts';
import { seenProposals } from '../approvals/seen-proposals.ts';
import { proposedColumns, withColumns, withProposed } from '../approvals/with-proposed.ts';
import { formatted, isTable } from '../export/formats.ts';
import { granulesOf, longWorkLimitOf } from '../granules/granules-of.ts';
import { readable } from '../kapsules/kapsule-access.ts';
import { changePointOf } from './change-point.ts';
import type { DataApiDeps } from './data-api-deps.ts';
import { presentWriter } from './writer.ts';

type Query = Given<typeof api.dataApi.read>['query'];

export const readGranules =
  ({ store, dataSources, watermarks }: DataApiDeps) =>
  async (
    id: string,
    { since, format, deletions, withWatermark, proposed }: Query,
    call: KnownCall,
  ): Promise<Download> => {
    if (withWatermark && format !== 'csv')
      throw new AppError('BAD_INPUT', 'A column with the watermark is for the format csv.');
    if (proposed && (since !== undefined || deletions))
      throw new AppError('BAD_INPUT', 'Proposed values are for reads without since and without deletions.');
    const seen = await readable(store, id, call.caller);
    const { kapsule } = seen;
    const granules = granulesOf({ store, dataSources }, kapsule);
    // Taken before the rows are read, so that a concurrent change is read twice rather than never.
    const now = await changePointOf({ store, dataSources }, kapsule);
    const after = since === undefined ? undefined : watermarks.read(since, now);
    const watermark = watermarks.give(now);
    const headers: Record<string, string> = { 'x-kaptain-watermark': watermark };
    if (after !== undefined) headers['x-kaptain-deleted'] = String(await granules.deletedSince(id, after));
    const filter = { ...(after !== undefined && { since: after }), deletions, isTable: isTable(format) };
    const stored = granules.stream(id, filter);
    const columns = proposed && isTable(format) ? proposedColumns(kapsule) : undefined;
    async function* inPlace() {
      const writer = await presentWriter(store, call);
      yield* withProposed(store, stored, { openIn: id, ...seenProposals(seen, writer) }, columns);
    }
    const lines = proposed ? inPlace() : stored;
    return {
      ...formatted(format, lines, {
        kapsule: columns ? withColumns(kapsule, columns) : kapsule,
        reader: 'program',
        deletions,
        watermark: withWatermark ? watermark : undefined,
        gone: call.gone(),
      }),
      limit: await longWorkLimitOf(dataSources, kapsule),
      check: (present) => readable(store, id, present),
      fileName: safeFileName(kapsule.name, `.${format}`),
      headers,
    };
  };
