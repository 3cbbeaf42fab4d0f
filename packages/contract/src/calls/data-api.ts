import { z } from 'zod';
import { download, json, route } from '../kit/route.ts';
import { storableData } from '../kit/storable-data.ts';
import { flag, idText, plainText } from '../kit/text.ts';
import { ShownApproval } from '../rules/approvals/schema.ts';
import { limits } from '../rules/limits.ts';
import { SeenLocks } from '../rules/locks/schema.ts';
import { Proposal } from './approvals.ts';
import { exportTypes, Granule, granuleKey } from './granules.ts';
import { Field, Kapsule, KapsuleStructure } from './kapsules.ts';
import { appIdText, LogEntry } from './logs.ts';
import { threadCalls } from './threads.ts';

export const GranuleUpsert = z.object({
  key: granuleKey,
  data: storableData,
  /** The version to replace; 0 when the key must be new. */
  version: z.number().int().nonnegative().optional(),
});

/** The value of the response header of an earlier read of the same kapsule; opaque to callers. `0` is before the first change. */
const watermark = z
  .string({ error: 'A watermark is needed.' })
  .regex(/^(?:0|\d{1,15}-(?:[\w-]{8}-)?[\w-]{16})$/, 'This is no watermark.');

/** For the platform's extension and load scripts, with an API key. */
export const dataApi = {
  createKapsule: route({
    method: 'POST',
    path: '/api/kapsule',
    access: 'dataApi',
    summary: 'Create a kapsule.',
    extra: true,
    /** `appId` is the platform's app that loads the kapsule, if any. */
    body: KapsuleStructure.extend({ appId: appIdText.optional() }),
    answer: json(Kapsule),
    errors: ['API_KEY_NOT_ALLOWED', 'FORBIDDEN', 'PROOF_NEEDED', 'CONFLICT', 'LIMIT_REACHED', 'TOO_LARGE'],
  }),
  upsert: route({
    method: 'PUT',
    path: '/api/kapsule/:id/granules',
    access: 'dataApi',
    summary: 'Insert or update many granules; a stale version is refused with both values.',
    extra: true,
    params: z.object({ id: idText }),
    body: z.object({
      granules: z.array(GranuleUpsert).min(1).max(limits.granulesPerUpsert),
      /** For those who approve the changes, where they need that. */
      comment: plainText(limits.proposalCharacters).optional(),
    }),
    answer: json(
      z.object({
        upserted: z.number(),
        granules: z.array(z.object({ _id: z.string(), key: z.string(), version: z.number() })),
        /** Only where changes need approval: the proposals that were made in place of changes, each with the key of its granule. */
        proposed: z.array(z.object({ _id: z.string(), key: z.string() })).optional(),
      }),
    ),
    errors: [
      'API_KEY_NOT_ALLOWED',
      'FORBIDDEN',
      'CONFLICT',
      'LIMIT_REACHED',
      'TOO_LARGE',
      'TOO_MANY_REQUESTS',
      'VALUES_REFUSED',
    ],
  }),
  lookup: route({
    method: 'POST',
    path: '/api/kapsule/:id/granules/lookup',
    access: 'dataApi',
    summary:
      'The granules of these keys: entry n belongs to key n and is null when no granule has it. An answer with fewer entries than keys was cut by its bytes; the call is repeated with the remaining keys.',
    extra: true,
    params: z.object({ id: idText }),
    body: z.object({ keys: z.array(granuleKey).min(1).max(limits.keysPerLookup) }),
    answer: json(
      z.object({
        data: z.array(Granule.nullable()),
        /** Whether the caller may save granules of this kapsule now. */
        mayWrite: z.boolean().optional(),
        /** Only where changes need approval: the open proposals of these granules that the caller sees. */
        proposals: z.array(Proposal).optional(),
      }),
    ),
    errors: ['TOO_MANY_REQUESTS'],
  }),
  fields: route({
    method: 'GET',
    path: '/api/kapsule/:id/fields',
    access: 'dataApi',
    summary:
      'The fields of a kapsule with their rules, e.g. for a sheet that shows it, and the locks as the caller meets them now: what they say of persons and times is decided, and conditions on the row are left.',
    extra: true,
    params: z.object({ id: idText }),
    answer: json(
      z.object({
        fields: z.array(Field),
        locks: SeenLocks.optional(),
        approval: ShownApproval.optional(),
      }),
    ),
    errors: ['TOO_MANY_REQUESTS'],
  }),
  read: route({
    method: 'GET',
    path: '/api/kapsule/:id/sql/read',
    access: 'dataApi',
    summary:
      'Stream the granules changed since a watermark; the headers X-Kaptain-Watermark and, with `since`, X-Kaptain-Deleted have the new watermark and how many were deleted since. `deletions=true` adds the deleted ones to the stream: {_id, key, deleted, deletedAt}. `proposed=true` has values that wait for approval in place, and a member `proposed` {by, fields}, in tables the columns ProposedBy and ProposedFields.',
    extra: true,
    params: z.object({ id: idText }),
    query: z.object({
      since: watermark.optional(),
      format: z.enum(['json', 'ndjson', 'csv', 'qvd']).default('json'),
      /** Deleted granules too, each in the place of its deletion in the order of changes. */
      deletions: flag.default(false),
      /** With csv: a column more, which has the new watermark in the last row. */
      withWatermark: flag.default(false),
      /** With the proposed values that the caller sees in place of the stored ones; not with `since` or `deletions`. */
      proposed: flag.default(false),
    }),
    answer: download(exportTypes.qvd, Object.values(exportTypes)),
    errors: ['WATERMARK_OUTDATED', 'TOO_MANY_REQUESTS', 'TOO_LARGE'],
  }),
  confirmReload: route({
    method: 'POST',
    path: '/api/kapsule/:id/reloaded',
    access: 'dataApi',
    summary: 'Confirm that everything up to a watermark was read: those granules become reloaded.',
    extra: true,
    params: z.object({ id: idText }),
    body: z.object({ watermark }),
    answer: json(z.object({ reloaded: z.number() })),
    errors: ['FORBIDDEN', 'WATERMARK_OUTDATED'],
  }),
  reload: route({
    method: 'POST',
    path: '/api/kapsule/:id/reload',
    access: 'dataApi',
    summary:
      'Queue a reload of the kapsule’s app; one that is queued already is answered instead of a second one.',
    extra: true,
    params: z.object({ id: idText }),
    body: z.object({ partial: z.boolean().default(false) }),
    answer: json(LogEntry),
    errors: ['API_KEY_NOT_ALLOWED', 'FORBIDDEN', 'CONFLICT'],
  }),
  loadScript: route({
    method: 'GET',
    path: '/api/kapsule/:id/loadscript',
    access: 'dataApi',
    summary: 'A load script for the platform that reads this kapsule and confirms what it has loaded.',
    extra: true,
    params: z.object({ id: idText }),
    answer: { kind: 'text' },
    errors: ['CONFLICT'],
  }),
  offeredValues: route({
    method: 'GET',
    path: '/api/kapsule/:id/values',
    access: 'dataApi',
    summary:
      'Values that a field may have: its choices, those of another kapsule, or the accounts that may read the kapsule; at most 100 that contain q.',
    extra: true,
    params: z.object({ id: idText }),
    query: z.object({
      field: plainText(limits.nameCharacters).default(''),
      q: plainText(limits.nameCharacters).default(''),
    }),
    answer: json(z.object({ values: z.array(z.string()) })),
    errors: ['LIMIT_REACHED', 'TOO_MANY_REQUESTS'],
  }),
  ...threadCalls,
};
