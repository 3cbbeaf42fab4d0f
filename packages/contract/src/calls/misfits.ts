import { z } from 'zod';
import { download, json, route } from '../kit/route.ts';
import { idText, plainText } from '../kit/text.ts';
import { limits } from '../rules/limits.ts';
import { KapsuleStructure } from './kapsules.ts';

/** Why one value may not be stored. A long value is shortened; it is missing where the row has none. */
export const RefusedValue = z.object({
  key: z.string(),
  field: z.string(),
  /** `type`, or the name of a rule. */
  rule: z.string(),
  value: z.unknown().optional(),
  message: z.string(),
});
export type RefusedValue = z.infer<typeof RefusedValue>;

/** How many values of a field break one rule. */
export const RuleCount = z.object({ field: z.string(), rule: z.string(), count: z.number() });

/** Refused values of many rows: their number for each field and rule, the most frequent first. */
const counted = {
  /** Of values. */
  count: z.number(),
  rules: z.array(RuleCount),
};

/** What an import refuses of one file. */
export const RefusedRows = z.object({
  ...counted,
  /** The rows that have refused values. */
  rows: z.number(),
  first: z.array(RefusedValue),
});
export type RefusedRows = z.infer<typeof RefusedRows>;

export const FieldsCheck = z.object({
  /** The granules that have such values. */
  granules: z.number(),
  ...counted,
  first: z.array(RefusedValue),
});
export type FieldsCheck = z.infer<typeof FieldsCheck>;

/** A granule with values that do not fit. */
const Misfit = z.object({
  _id: z.string(),
  key: z.string(),
  version: z.number(),
  refusals: z.array(RefusedValue.omit({ key: true })),
});

export const MisfitPage = z.object({
  /** The granules with values that match the query. */
  granules: z.number(),
  /** The values that match the query. */
  count: z.number(),
  /** Of all values that a search finds, whatever field and rule the query names, so that another one can be chosen. */
  rules: z.array(RuleCount),
  rows: z.array(Misfit),
  /** There are more rows than these. */
  isCut: z.boolean(),
});
export type MisfitPage = z.infer<typeof MisfitPage>;

const params = z.object({ id: idText });
const query = z.object({
  field: plainText(limits.nameCharacters).optional(),
  rule: plainText(limits.nameCharacters).optional(),
  /** As in a list of granules. */
  q: plainText(1000).optional(),
});

/** What is stored though it does not fit the types and rules of the fields. */
export const misfitCalls = {
  checkFields: route({
    method: 'POST',
    path: '/api/kapsule/:id/fields/check',
    access: 'loggedIn',
    summary:
      'Count the stored values that these fields and their rules would refuse, and list the first ones; nothing is changed.',
    extra: true,
    params,
    body: KapsuleStructure.pick({ fields: true }),
    answer: json(FieldsCheck),
    errors: ['FORBIDDEN', 'LIMIT_REACHED', 'TOO_MANY_REQUESTS'],
  }),
  misfits: route({
    method: 'GET',
    path: '/api/kapsule/:id/misfits',
    access: 'loggedIn',
    summary: 'The stored values that do not fit the types and rules of their fields.',
    extra: true,
    params,
    query,
    answer: json(MisfitPage),
    errors: ['LIMIT_REACHED', 'TOO_MANY_REQUESTS'],
  }),
  exportMisfits: route({
    method: 'GET',
    path: '/api/kapsule/:id/misfits/export',
    access: 'loggedIn',
    summary: 'Download the stored values that do not fit, as CSV: key, field, rule, value and message.',
    extra: true,
    params,
    query,
    answer: download('text/csv; charset=utf-8'),
    errors: ['LIMIT_REACHED', 'TOO_MANY_REQUESTS'],
  }),
};
