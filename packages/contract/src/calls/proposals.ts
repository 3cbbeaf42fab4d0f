import { z } from 'zod';
import { FieldType } from '../fields/schema.ts';
import { json, route } from '../kit/route.ts';
import { limits } from '../rules/limits.ts';
import { fieldRules } from '../rules/values/schema.ts';

/** What a kapsule could be made of; nothing is stored. */
export const StructureProposal = z.object({
  name: z.string(),
  /** The table that the file names. */
  table: z.string(),
  /** A column whose values are filled and different in each row; null without one. */
  keyField: z.string().nullable(),
  columns: z.array(
    z.object({
      name: z.string(),
      type: FieldType,
      decimals: fieldRules.decimals,
      choices: fieldRules.choices,
      /** Its values are filled and different in each row. */
      isKey: z.boolean(),
    }),
  ),
  /** Columns that can't be fields, e.g. because another one has their name in another case; the first of them by name. */
  leftOut: z.object({ count: z.number(), first: z.array(z.string()) }),
  /** The number of all rows. */
  rows: z.number(),
  /** The texts of the first rows, which may be cut, in the order of the columns. */
  firstRows: z.array(z.array(z.string())),
});
export type StructureProposal = z.infer<typeof StructureProposal>;

export const proposals = {
  fromQvd: route({
    method: 'POST',
    path: '/api/kapsule/proposal/qvd',
    access: 'loggedIn',
    summary:
      'Propose the structure of a kapsule for a QVD file: its key, and the type of each field by its values. Nothing is stored.',
    extra: true,
    files: { field: 'files', many: false, endings: ['.qvd'], maxBytes: limits.qvdBytes, maxFiles: 1 },
    answer: json(StructureProposal),
    errors: ['FORBIDDEN', 'TOO_LARGE', 'DISK_FULL', 'TOO_MANY_REQUESTS'],
  }),
};
