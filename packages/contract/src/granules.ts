import { z } from 'zod';
import { json, route, streamedJson } from './kit/route.ts';
import { idText, plainText, timestamp } from './kit/text.ts';
import { limits } from './limits.ts';

export const Granule = z.looseObject({
  _id: z.string(),
  user: z.string().nullish(),
  key: z.string().nullish(),
  data: z.unknown(),
  reloaded: z.boolean().default(false),
  createdAt: timestamp.nullish(),
  updatedAt: timestamp.nullish(),
  version: z.number().optional(),
});
export type Granule = z.infer<typeof Granule>;

export const GranuleSummary = z.object({ total: z.number(), reloaded: z.number(), notReloaded: z.number() });
export type GranuleSummary = z.infer<typeof GranuleSummary>;

export const GranulePage = z.object({ data: z.array(Granule), total: z.number(), summary: GranuleSummary });
export type GranulePage = z.infer<typeof GranulePage>;

/** A boolean as a query string carries it. */
const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

const QvdFileResult = z.object({
  file: z.string(),
  rows: z.number(),
  matched: z.array(z.string()),
  ignored: z.array(z.string()),
});

export const granules = {
  list: route({
    method: 'GET',
    path: '/api/kapsule/:id/sql/read/internal',
    access: 'loggedIn',
    summary:
      'The granules of a kapsule: the whole list streamed, or one page when any paging option is given.',
    params: z.object({ id: idText }),
    query: z.object({
      sqlType: plainText(limits.nameCharacters).optional(),
      tableName: plainText(limits.nameCharacters).optional(),
      page: z.coerce.number().int().min(1).optional(),
      size: z.coerce.number().int().min(1).max(limits.pageSize).optional(),
      q: plainText(1000).optional(),
      reloaded: flag.optional(),
      sort: z
        .string()
        .regex(/^-?(key|user|reloaded|createdAt|updatedAt)$/)
        .optional(),
    }),
    // The page first: its `data` is a list too and would be taken for a wrapped plain list.
    answer: streamedJson(z.union([GranulePage, z.array(Granule)])),
    errors: ['BINDING_MISMATCH'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/kapsule/sql/granules',
    access: 'loggedIn',
    summary: 'Delete granules: all of them, or none when one may not be deleted.',
    body: z.object({
      granuleIds: z.array(idText).min(1).max(limits.granuleIdsPerDelete),
      sqlType: plainText(limits.nameCharacters).optional(),
      tableName: plainText(limits.nameCharacters).optional(),
    }),
    answer: json(z.object({ deleted: z.number() })),
    errors: ['BINDING_MISMATCH', 'TOO_LARGE'],
  }),
  importQvd: route({
    method: 'POST',
    path: '/api/kapsule/import/qvd/data',
    access: 'loggedIn',
    summary: 'Store the rows of QVD files as granules: all files or nothing. A dry run only previews.',
    query: z.object({ kapsuleId: idText, dryRun: flag.optional() }),
    files: {
      field: 'files[]',
      many: true,
      endings: ['.qvd'],
      maxBytes: limits.qvdBytes,
      maxFiles: limits.qvdFiles,
    },
    answer: json(z.looseObject({ rows: z.number(), files: z.array(QvdFileResult).optional() })),
  }),
};
