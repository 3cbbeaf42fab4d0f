import type { Approval, DatabaseName, Field, Writers } from '@kaptain/contract';
import { dataSourceTypes } from '@kaptain/contract/data-source-names';
import { type Choice, choiceColors } from '@kaptain/contract/field-rules';
import { fieldTypeNames } from '@kaptain/contract/fields';
import type { FieldComparison, Lock, LockCondition } from '@kaptain/contract/locks';
import {
  type Check,
  type Checks,
  flag,
  list,
  nullable,
  number,
  oneOf,
  optional,
  record,
  shape,
  text,
  whole,
} from './checks.ts';
import { noun, type Stored } from './noun.ts';
import { ruledFields } from './ruled-fields.ts';

export interface KapsuleRecord extends Stored {
  name: string;
  nameKey: string;
  database: DatabaseName;
  tableName: string;
  table: string;
  keyField: string;
  /** The owner as shown; ownerId decides rights. */
  owner: string;
  ownerId: string;
  fields: Field[];
  /** The app of the platform that loads it. */
  appId?: string | null;
  /** Set while its table is being dropped; the kapsule stays listed until that has succeeded. */
  state?: 'deleting' | null;
  /** The users who may save granules; DELETE when it was never chosen. */
  writers?: Writers | null;
  /** What closes its rows, or some of their fields. */
  locks?: Lock[] | null;
  /** Which changes need approval, and whose; none where it is absent. */
  approval?: Approval | null;
  createdAt: string;
  updatedAt: string;
}

const bound: Check<string | number> = (value) => text(value) || number(value);
const scalar: Check<string | number | boolean> = (value) => bound(value) || flag(value);
const words = optional(text);

const field = shape<Field>({
  _id: text,
  name: text,
  type: oneOf(...fieldTypeNames),
  label: words,
  help: words,
  required: optional(flag),
  writeOnce: optional(flag),
  min: optional(bound),
  max: optional(bound),
  decimals: optional(whole),
  unit: words,
  thousands: optional(flag),
  pattern: words,
  choices: optional(list(shape<Choice>({ value: text, color: optional(oneOf(...choiceColors)) }))),
  choicesFrom: optional(shape<NonNullable<Field['choicesFrom']>>({ kapsuleId: text, field: text })),
  choicesBy: optional(shape<NonNullable<Field['choicesBy']>>({ field: text, choices: record(list(text)) })),
  default: optional((value): value is NonNullable<Field['default']> => scalar(value) || list(scalar)(value)),
});

type Condition<On extends LockCondition['on']> = Extract<LockCondition, { on: On }>;
type Compared = Extract<FieldComparison, { value: unknown }>;
const onField = { on: oneOf('field'), field: text };
const compared = shape<Compared>({
  ...onField,
  is: oneOf('equals', 'differs', 'atMost', 'atLeast'),
  value: scalar,
});
const uncompared = shape<Exclude<FieldComparison, Compared>>({ ...onField, is: oneOf('empty', 'filled') });
const onGroup = shape<Condition<'group'>>({ on: oneOf('group'), groupIds: list(text) });
const onPerson = shape<Condition<'person'>>({ on: oneOf('person'), usernames: list(text) });
const onTime = shape<Condition<'time'>>({ on: oneOf('time'), is: oneOf('before', 'after'), at: text });
const condition: Check<LockCondition> = (value) =>
  compared(value) || uncompared(value) || onGroup(value) || onPerson(value) || onTime(value);

const lock = shape<Lock>({
  name: text,
  fields: optional(list(text)),
  closes: oneOf('when', 'unless'),
  conditions: list(condition),
  mayEnter: optional(flag),
  openers: oneOf('OWNER', 'DELETE'),
});
const approvals: Check<1 | 2> = (value) => value === 1 || value === 2;

/** Deleted kapsules have these fields too. */
export const kapsuleFields: Checks<Omit<KapsuleRecord, keyof Stored>> = {
  name: text,
  nameKey: text,
  database: oneOf('kaptaindb', ...dataSourceTypes),
  tableName: text,
  table: text,
  keyField: text,
  owner: text,
  ownerId: text,
  fields: list(field),
  appId: optional(nullable(text)),
  state: optional(nullable(oneOf('deleting'))),
  writers: optional(nullable(oneOf('DELETE', 'READ', 'EVERYONE'))),
  locks: optional(nullable(list(lock))),
  approval: optional(
    nullable(shape<Approval>({ fields: optional(list(text)), groupIds: list(text), count: approvals })),
  ),
  createdAt: text,
  updatedAt: text,
};

export const kapsules = noun<KapsuleRecord>({
  name: 'kapsules',
  fields: kapsuleFields,
  formChanges: [ruledFields],
  // Not unique: users who can't see each other's kapsules may choose the same name.
  unique: [],
  indexes: ['nameKey', 'ownerId', 'database'],
});
