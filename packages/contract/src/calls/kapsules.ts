import { z } from 'zod';
import { FieldType } from '../fields/schema.ts';
import { missingAs } from '../kit/forgiving.ts';
import { download, json, route } from '../kit/route.ts';
import { flag, idText, plainText, requiredText, timestamp } from '../kit/text.ts';
import { Approval } from '../rules/approvals/schema.ts';
import { limits } from '../rules/limits.ts';
import { Locks, LocksOfFile } from '../rules/locks/schema.ts';
import { fieldRules, forgivingFieldRules } from '../rules/values/schema.ts';
import { Authority, DatabaseName, DEFAULT_DATABASE, Success, Writers } from '../vocabulary.ts';
import { LogEntry, Schedule } from './logs.ts';

export const Field = z.object({ _id: z.string(), name: z.string(), type: FieldType, ...fieldRules });
export type Field = z.infer<typeof Field>;

/** A kapsule in answers; tolerates missing and additional fields of other services. */
export const Kapsule = z.looseObject({
  _id: z.string(),
  name: z.string(),
  database: missingAs(z.string(), DEFAULT_DATABASE),
  tableName: missingAs(z.string(), DEFAULT_DATABASE),
  table: missingAs(z.string(), ''),
  keyField: missingAs(z.string(), ''),
  owner: missingAs(z.string(), ''),
  /** Extra: the account of the owner, which may be deleted. */
  ownerId: z.string().nullish(),
  authority: missingAs(z.array(Authority), []),
  fields: missingAs(
    z.array(
      z.looseObject({
        _id: z.string().optional(),
        name: z.string(),
        type: z.string(),
        ...forgivingFieldRules,
      }),
    ),
    [],
  ),
  /** Extra: in lists without fields, where `fields` is empty. */
  fieldCount: z.number().optional(),
  createdAt: timestamp.nullish(),
  updatedAt: timestamp.nullish(),
  /** Extra: the number of granules, and of those not reloaded. */
  granules: z.object({ total: z.number(), notReloaded: z.number() }).optional(),
  /** Extra: `unavailable` while its data source is unreachable, `deleting` until its table is dropped. */
  state: z.string().nullish(),
  /** The explanation of `state` for users. */
  stateMessage: z.string().nullish(),
  /** Extra: whether the service created its table in the data source; absent for the own store and while unknown. */
  tableMadeByService: z.boolean().nullish(),
  version: z.number().optional(),
  /** Extra: the platform's app that loads it. */
  appId: z.string().nullish(),
  /** Extra: who may save granules. */
  writers: Writers.nullish(),
  /** Extra: for callers who may change it. */
  locks: Locks.nullish().catch(undefined),
  /** Extra: which changes need approval, and whose. */
  approval: Approval.nullish(),
});
export type Kapsule = z.infer<typeof Kapsule>;

export const NewField = z.object({
  name: requiredText('A field needs a name.'),
  type: FieldType,
  ...fieldRules,
});

/** The structure of a kapsule as input: the content of a .kap file. */
export const KapsuleStructure = z.object({
  name: requiredText('It needs a name.'),
  table: plainText(limits.nameCharacters).default(''),
  keyField: requiredText('It needs a key field.'),
  database: DatabaseName.default(DEFAULT_DATABASE),
  tableName: plainText(limits.nameCharacters).default(DEFAULT_DATABASE),
  fields: z
    .array(NewField)
    .min(1, 'It needs at least one field.')
    .max(limits.fieldsPerKapsule, `It has at most ${limits.fieldsPerKapsule} fields.`),
});
export type KapsuleStructure = z.infer<typeof KapsuleStructure>;

/** The parts of a kapsule that can be changed. */
export const KapsuleChange = KapsuleStructure.pick({ name: true, table: true, keyField: true, fields: true });
export type KapsuleChange = z.infer<typeof KapsuleChange>;

/** The reloads and the groups of a kapsule. */
export const KapsuleOverview = z.looseObject({
  appId: z.string().nullable(),
  schedule: Schedule.nullable(),
  /** The newest run that loads it. */
  lastReload: LogEntry.nullable(),
  /** For an ADMIN all that have it, otherwise those of the caller. */
  groups: z.array(
    z.looseObject({
      _id: z.string(),
      groupname: z.string(),
      authority: z.array(Authority),
      /** The number of its users. */
      users: z.number(),
    }),
  ),
});
export type KapsuleOverview = z.infer<typeof KapsuleOverview>;

export const KapFile = z.object({
  format: z.literal('kap', { error: 'This is not a .kap file.' }),
  version: z.union([z.literal(1), z.literal(2), z.literal(3)], {
    error: 'This .kap file is of a version this service does not know.',
  }),
  exportedAt: timestamp.optional(),
  kapsule: KapsuleStructure.extend({ locks: LocksOfFile.optional() }),
});
export type KapFile = z.infer<typeof KapFile>;

/** Another service may answer only the message: one line per file. */
export const KapFileResult = z.object({
  file: z.string().optional(),
  status: z.enum(['success', 'failed']).optional(),
  message: z.string(),
  kapsuleId: z.string().optional(),
});

const kapFiles = { field: 'files', endings: ['.kap'], maxBytes: limits.kapBytes } as const;

export const kapsules = {
  list: route({
    method: 'GET',
    path: '/api/kapsule',
    access: 'loggedInOrKey',
    summary:
      'The kapsules the caller may read, each with the authority the caller has on it; with an API key those that it opens.',
    query: z.object({
      /** Extra: only those of this name, compared without case. */
      name: plainText(limits.nameCharacters).optional(),
      /** Extra: the fields are counted instead of listed. */
      withoutFields: flag.default(false),
    }),
    answer: json(z.array(Kapsule)),
  }),
  get: route({
    method: 'GET',
    path: '/api/kapsule/:id',
    access: 'loggedIn',
    summary: 'One kapsule.',
    params: z.object({ id: idText }),
    answer: json(Kapsule),
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/kapsule/sql',
    access: 'loggedIn',
    proof: 'ifAsked',
    summary:
      'Delete kapsules: all of them, or none when one may not be deleted. They can be restored for 30 days, except those whose table is dropped at once.',
    body: z.object({
      kapsuleIds: z.array(idText).min(1).max(1000),
      // Strictly a boolean: the text "false" must never drop a table.
      deleteTable: z.boolean().default(false),
      /** Extra, with deleteTable: drop the tables at once, instead of when the kapsules can no longer be restored. */
      dropNow: z.boolean().default(false),
    }),
    answer: json(z.object({ deleted: z.number() })),
    errors: ['DELETE_REFUSED', 'NOT_FOUND', 'CONFLICT'],
  }),
  overview: route({
    method: 'GET',
    path: '/api/kapsule/:id/overview',
    access: 'loggedIn',
    summary: 'The app, the schedule, the last reload and the groups of one kapsule.',
    extra: true,
    params: z.object({ id: idText }),
    answer: json(KapsuleOverview),
  }),
  update: route({
    method: 'PUT',
    path: '/api/kapsule/:id',
    access: 'loggedIn',
    summary:
      'Change the name, the key field, the bound table and the fields of one kapsule; no data is altered. If-Match guards against two at once.',
    extra: true,
    params: z.object({ id: idText }),
    body: KapsuleChange,
    answer: json(Kapsule),
    ifMatch: true,
    errors: ['FORBIDDEN', 'PROOF_NEEDED', 'CONFLICT', 'LIMIT_REACHED', 'TOO_LARGE'],
  }),
  changeOwner: route({
    method: 'PUT',
    path: '/api/kapsule/owner',
    access: 'admin',
    proof: 'ifAsked',
    summary: 'Give kapsules another owner: all of them, or none when one does not exist.',
    extra: true,
    body: z.object({ kapsuleIds: z.array(idText).min(1).max(1000), userId: idText }),
    answer: json(Success),
    errors: ['NOT_FOUND'],
  }),
  setWriters: route({
    method: 'PUT',
    path: '/api/kapsule/:id/writers',
    access: 'loggedIn',
    proof: 'ifAsked',
    summary:
      'Choose who may save granules: `DELETE` for members who may write, with WRITE or DELETE; `READ` for all who may read; `EVERYONE` for every person that the platform knows. For ADMINs and the owner.',
    extra: true,
    params: z.object({ id: idText }),
    body: z.object({ writers: Writers }),
    answer: json(Kapsule),
    errors: ['FORBIDDEN'],
  }),
  setLocks: route({
    method: 'PUT',
    path: '/api/kapsule/:id/locks',
    access: 'loggedIn',
    proof: 'ifAsked',
    summary:
      'Replace the locks, which close rows or fields by conditions. For all who may change it; a lock whose openers are `OWNER` is changed or taken away by ADMINs and the owner only. If-Match guards against two at once.',
    extra: true,
    params: z.object({ id: idText }),
    body: z.object({ locks: Locks }),
    answer: json(Kapsule),
    ifMatch: true,
    errors: ['FORBIDDEN', 'LIMIT_REACHED'],
  }),
  setApproval: route({
    method: 'PUT',
    path: '/api/kapsule/:id/approval',
    access: 'loggedIn',
    proof: 'ifAsked',
    summary:
      'Choose which changes of a kapsule need the approval of others, or null for none. For those who may change the kapsule.',
    extra: true,
    params: z.object({ id: idText }),
    body: z.object({ approval: Approval.nullable() }),
    answer: json(Kapsule),
    errors: ['FORBIDDEN', 'CONFLICT'],
  }),
  importMany: route({
    method: 'POST',
    path: '/api/kapsule/import/kapsules',
    access: 'loggedIn',
    summary: 'Create kapsules from .kap files; each file succeeds or fails alone.',
    files: { ...kapFiles, many: true, maxFiles: limits.kapFiles, failsAlone: true },
    answer: json(z.array(KapFileResult)),
    errors: ['FORBIDDEN', 'PROOF_NEEDED'],
  }),
  importOne: route({
    method: 'POST',
    path: '/api/kapsule/import/kapsule/:id',
    access: 'loggedIn',
    summary:
      'Replace the structure of one kapsule by that of a .kap file; no data is altered. If-Match guards against two at once.',
    params: z.object({ id: idText }),
    files: { ...kapFiles, many: false, maxFiles: 1 },
    answer: json(z.looseObject({ status: z.string(), kapsule: Kapsule.optional() })),
    ifMatch: true,
    errors: ['FORBIDDEN', 'PROOF_NEEDED', 'CONFLICT', 'LIMIT_REACHED', 'TOO_LARGE'],
  }),
  export: route({
    method: 'GET',
    path: '/api/kapsule/export/kapsule',
    access: 'loggedIn',
    summary: 'Download the structure of a kapsule as a .kap file.',
    query: z.object({
      kapsuleId: idText,
      /** Extra: a file that earlier versions of the service read, without rules and newer types. */
      earlier: flag.default(false),
    }),
    answer: download('application/octet-stream'),
    errors: ['NOT_FOUND'],
  }),
};
