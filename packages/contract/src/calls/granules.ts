import { z } from 'zod';
import { fieldFilters, fieldFiltersText, granuleSort } from '../field-filters.ts';
import { missingAs } from '../kit/forgiving.ts';
import { download, json, route, streamedJson } from '../kit/route.ts';
import { flag, idText, plainText, requiredText, timestamp } from '../kit/text.ts';
import { limits } from '../rules/limits.ts';
import { misfitCalls, RefusedRows } from './misfits.ts';

export const Granule = z.looseObject({
  _id: z.string(),
  user: z.string().nullish(),
  key: z.string().nullish(),
  data: z.unknown(),
  reloaded: missingAs(z.boolean(), false),
  createdAt: timestamp.nullish(),
  updatedAt: timestamp.nullish(),
  version: z.number().optional(),
  /** Extra: of a deleted granule. */
  deletedAt: timestamp.nullish(),
  deletedBy: z.string().nullish(),
  /** Extra: the data has so many bytes that it is left out; a download has it. */
  dataBytes: z.number().optional(),
});
export type Granule = z.infer<typeof Granule>;

export const GranuleSummary = z.object({ total: z.number(), reloaded: z.number(), notReloaded: z.number() });
export type GranuleSummary = z.infer<typeof GranuleSummary>;

export const GranulePage = z.object({
  data: z.array(Granule),
  total: z.number(),
  /** Extra: false when `total` is a lower bound. */
  totalIsExact: z.boolean().optional(),
  /**
   * Extra: the time for looking at granules was over before all were seen, so that a filter may have missed some, or an order
   * may lack those that come first. If an index of the field is being made, the same call is complete later.
   */
  isPartial: z.literal(true).optional(),
  summary: GranuleSummary,
  /** Extra: the page was cut by its bytes; the same call with this as `next` answers its remaining rows. */
  next: z.string().optional(),
});
export type GranulePage = z.infer<typeof GranulePage>;

/** The key of a granule in requests. */
export const granuleKey = requiredText('A granule needs a key.', 1000);

const filter = {
  q: plainText(1000).optional(),
  reloaded: flag.optional(),
  /** Deleted granules instead of existing ones; ADMIN only. */
  deleted: flag.optional(),
  /** Conditions on fields of the kapsule; all of them hold. */
  where: fieldFiltersText.optional(),
};

/** The present or an earlier state of a granule. */
export const GranuleState = z.object({
  version: z.number(),
  user: z.string(),
  data: z.unknown(),
  updatedAt: timestamp,
  deletedAt: timestamp.nullable(),
  deletedBy: z.string().nullable(),
  restoredBy: z.string().nullish(),
  /** Extra: those who approved the change. */
  approvedBy: z.array(z.string()).optional(),
  /** The data has so many bytes that it is left out. */
  dataBytes: z.number().optional(),
});
export type GranuleState = z.infer<typeof GranuleState>;

export const ExportFormat = z.enum(['csv', 'json', 'ndjson', 'qvd']);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** The content types of the formats of an export. */
export const exportTypes = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  qvd: 'application/octet-stream',
} as const satisfies Record<ExportFormat, string>;

/** Keys, or a filter with the expected number: a body with neither must not mean all granules. */
function isSelection(body: {
  keys?: unknown;
  expected?: unknown;
  q?: unknown;
  reloaded?: unknown;
  where?: unknown;
}) {
  const { keys, ...filter } = body;
  return keys === undefined
    ? filter.expected !== undefined
    : Object.values(filter).every((value) => value === undefined);
}

const kapsuleParams = z.object({ id: idText });

/** The result, or with a dry run the preview, of importing one QVD file. */
export const QvdFileResult = z.object({
  file: z.string(),
  /** Those that are stored, or in a dry run may be; without a key none is, and refused ones are counted apart. */
  rows: z.number(),
  matched: z.array(z.string()),
  ignored: z.array(z.string()),
  /** The first rows as they would be stored; only in a dry run. */
  preview: z.array(z.object({ key: z.string(), user: z.string(), data: z.unknown() })).optional(),
  /** Extra: the rows that are not stored because their values break the type or a rule of their field. */
  refused: RefusedRows.optional(),
  /** Extra: what the import of the other rows does; only in a dry run. `revived` are deleted granules that it brings back. */
  changes: z
    .object({ new: z.number(), changed: z.number(), unchanged: z.number(), revived: z.number() })
    .optional(),
});
export type QvdFileResult = z.infer<typeof QvdFileResult>;

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
      /** From an answer that was cut by its bytes, with the `page` and `size` of that call. */
      next: z
        .string()
        .regex(/^\d{1,15}$/)
        .optional(),
      ...filter,
      sort: granuleSort.optional(),
    }),
    // The page first, because its `data` would also match as a wrapped list.
    answer: streamedJson(z.union([GranulePage, z.array(Granule)])),
    errors: ['BINDING_MISMATCH', 'FORBIDDEN', 'TOO_MANY_REQUESTS'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/kapsule/sql/granules',
    access: 'loggedInOrKey',
    summary:
      'Delete granules; none of them when one may not be deleted. An API key needs the permission to delete.',
    body: z.object({
      granuleIds: z.array(idText).min(1).max(limits.granuleIdsPerDelete),
      sqlType: plainText(limits.nameCharacters).optional(),
      tableName: plainText(limits.nameCharacters).optional(),
    }),
    answer: json(z.object({ deleted: z.number() })),
    errors: ['BINDING_MISMATCH', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  importQvd: route({
    method: 'POST',
    path: '/api/kapsule/import/qvd/data',
    access: 'loggedIn',
    summary:
      'Store the rows of QVD files as granules: all files or nothing. A dry run only previews. `goodRowsOnly` leaves out rows whose values break the type or a rule of their field; without it one such row refuses all.',
    query: z.object({ kapsuleId: idText, dryRun: flag.optional(), goodRowsOnly: flag.optional() }),
    files: {
      field: 'files[]',
      many: true,
      endings: ['.qvd'],
      maxBytes: limits.qvdBytes,
      maxFiles: limits.qvdFiles,
    },
    answer: json(z.looseObject({ rows: z.number(), files: z.array(QvdFileResult).optional() })),
    errors: [
      'FORBIDDEN',
      'NOT_FOUND',
      'TOO_LARGE',
      'CONFLICT',
      'DISK_FULL',
      'LIMIT_REACHED',
      'VALUES_REFUSED',
    ],
  }),
  removeMatching: route({
    method: 'DELETE',
    path: '/api/kapsule/:id/granules',
    access: 'loggedInOrKey',
    summary:
      'Delete the granules of these keys, as many of them as exist; or all that match a filter, if they are still as many as the caller saw. Many are deleted in steps: an error after the first begins with “Stopped after n of m”, and `details` has `done` and `of`. An API key needs the permission to delete.',
    extra: true,
    params: kapsuleParams,
    body: z
      .object({
        keys: z.array(granuleKey).min(1).max(limits.keysPerLookup).optional(),
        q: plainText(1000).optional(),
        reloaded: z.boolean().optional(),
        where: fieldFilters.optional(),
        /** With a filter: how many granules the caller saw. */
        expected: z.number().int().min(1).optional(),
      })
      .refine(isSelection, 'Please name either keys, or a filter with the expected number.'),
    answer: json(z.object({ deleted: z.number() })),
    errors: ['FORBIDDEN', 'CONFLICT'],
  }),
  countMatching: route({
    method: 'GET',
    path: '/api/kapsule/:id/granules/count',
    access: 'loggedIn',
    summary: 'The exact number of granules that match a filter; counting a million takes seconds.',
    extra: true,
    params: kapsuleParams,
    query: z.object(filter),
    answer: json(z.object({ total: z.number() })),
    errors: ['FORBIDDEN', 'TOO_MANY_REQUESTS'],
  }),
  restoreMatching: route({
    method: 'POST',
    path: '/api/kapsule/:id/granules/restore-matching',
    access: 'admin',
    summary:
      'Bring back all deleted granules that match a search, if they are still as many as the caller saw. Many are brought back in steps: an error after the first begins with “Stopped after n of m”, and `details` has `done` and `of`.',
    extra: true,
    params: kapsuleParams,
    body: z.object({
      q: plainText(1000).optional(),
      where: fieldFilters.optional(),
      expected: z.number().int().min(1),
    }),
    answer: json(z.object({ restored: z.number() })),
    errors: ['CONFLICT'],
  }),
  restore: route({
    method: 'POST',
    path: '/api/kapsule/:id/granules/restore',
    access: 'admin',
    summary: 'Bring deleted granules back.',
    extra: true,
    params: kapsuleParams,
    body: z.object({ granuleIds: z.array(idText).min(1).max(limits.granuleIdsPerDelete) }),
    answer: json(z.object({ restored: z.number() })),
    errors: ['CONFLICT'],
  }),
  history: route({
    method: 'GET',
    path: '/api/kapsule/:id/granules/:granuleId/history',
    access: 'loggedInOrExtension',
    summary: 'The states of one granule, newest first, as many as fit into one answer.',
    extra: true,
    params: z.object({ id: idText, granuleId: idText }),
    /** Only states of earlier versions, to go on after an answer whose last version is not 1. */
    query: z.object({ before: z.coerce.number().int().min(1).optional() }),
    answer: json(z.array(GranuleState)),
    errors: ['TOO_MANY_REQUESTS'],
  }),
  changesPerDay: route({
    method: 'GET',
    path: '/api/kapsule/:id/changes',
    access: 'loggedIn',
    summary: 'How many granules changed on each day (UTC), oldest first.',
    extra: true,
    params: kapsuleParams,
    query: z.object({ days: z.coerce.number().int().min(1).max(366).default(30) }),
    answer: json(z.array(z.object({ day: z.string(), changes: z.number() }))),
  }),
  export: route({
    method: 'GET',
    path: '/api/kapsule/:id/export',
    access: 'loggedIn',
    summary: 'Download exactly the granules that match a filter.',
    extra: true,
    params: kapsuleParams,
    query: z.object({ format: ExportFormat, ...filter }),
    answer: download(exportTypes.qvd, Object.values(exportTypes)),
    errors: ['TOO_MANY_REQUESTS', 'TOO_LARGE'],
  }),
  events: route({
    method: 'GET',
    path: '/api/kapsule/:id/events',
    access: 'loggedInOrExtension',
    summary: 'Server-sent events: the counts of the kapsule, whenever they or its granules change.',
    extra: true,
    params: kapsuleParams,
    answer: download('text/event-stream'),
    errors: ['TOO_MANY_REQUESTS'],
  }),
  ...misfitCalls,
};
