import type { api, Given } from '@kaptain/contract';
import { csvWithWatermark } from '../../granule-formats/csv.ts';
import { formatted, isTable } from '../../granule-formats/formats.ts';
import { AppError } from '../../http/app-error.ts';
import type { KnownCall } from '../../http/call.ts';
import type { Download } from '../../http/downloads.ts';
import { safeFileName } from '../../http/file-names.ts';
import { granulesOf, longWorkLimitOf } from '../../kapsule-rules/granules-of.ts';
import { readable } from '../../kapsule-rules/kapsule-access.ts';
import type { DataApiDeps } from './data-api-deps.ts';

type Query = Given<typeof api.dataApi.read>['query'];

export const granuleReading =
  ({ store, dataSources, watermarks }: DataApiDeps) =>
  async (id: string, { since, format, withWatermark }: Query, { caller }: KnownCall): Promise<Download> => {
    if (withWatermark && format !== 'csv')
      throw new AppError('BAD_INPUT', 'A column with the watermark is for the format csv.');
    const { kapsule } = await readable(store, id, caller);
    const granules = granulesOf({ store, dataSources }, kapsule);
    // Taken before the rows are read, so that a concurrent change is read twice rather than never.
    const filter = since === undefined ? {} : { since: watermarks.read(id, since) };
    const watermark = watermarks.give(id, await granules.watermark(id));
    const lines = granules.stream(id, { ...filter, isTable: isTable(format) });
    const file = withWatermark
      ? { chunks: csvWithWatermark(lines, kapsule, watermark), contentType: 'text/csv; charset=utf-8' }
      : formatted(format, lines, kapsule, 'program');
    return {
      ...file,
      limit: await longWorkLimitOf(dataSources, kapsule),
      check: (present) => readable(store, id, present),
      fileName: safeFileName(kapsule.name, `.${format}`),
      headers: { 'x-kaptain-watermark': watermark },
    };
  };
