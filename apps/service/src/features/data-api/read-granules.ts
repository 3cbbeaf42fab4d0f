import type { api, Given } from '@kaptain/contract';
import { formatted } from '../../granule-formats/formats.ts';
import type { KnownCall } from '../../http/call.ts';
import type { Download } from '../../http/downloads.ts';
import { safeFileName } from '../../http/file-names.ts';
import { granulesOf, placesOf } from '../../kapsule-rules/granules-of.ts';
import { readable } from '../../kapsule-rules/kapsule-access.ts';
import type { DataApiDeps } from './data-api-deps.ts';

type Query = Given<typeof api.dataApi.read>['query'];

export const granuleReading =
  ({ store }: DataApiDeps) =>
  async (id: string, { since, format }: Query, { caller }: KnownCall): Promise<Download> => {
    const { kapsule } = await readable(store, id, caller);
    const granules = granulesOf(store, kapsule);
    // Before the rows are read: what changes in between is read twice rather than never.
    const watermark = await granules.watermark(id);
    const filter = since === undefined ? {} : { since: Number(since) };
    return {
      ...formatted(format, granules.stream(id, filter), kapsule, 'program'),
      places: await placesOf(store, kapsule),
      check: (present) => readable(store, id, present),
      fileName: safeFileName(kapsule.name, `.${format}`),
      headers: { 'x-kaptain-watermark': String(watermark) },
    };
  };
