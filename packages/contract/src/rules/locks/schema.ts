import { z } from 'zod';
import { filledText, idText, plainText, requiredText } from '../../kit/text.ts';
import { limits } from '../limits.ts';

const fieldName = requiredText('A lock needs the name of a field.', limits.nameCharacters);
const value = z.union([z.number(), plainText(limits.nameCharacters), z.boolean()]);
const field = { on: z.literal('field'), field: fieldName };
const names = <S extends z.ZodType>(name: S) => z.array(name).min(1).max(limits.namesPerCondition);

export const FieldCondition = z.union([
  z.object({ ...field, is: z.enum(['equals', 'differs', 'atMost', 'atLeast']), value }),
  z.object({ ...field, is: z.enum(['empty', 'filled']) }),
]);
export const TimeCondition = z.object({
  on: z.literal('time'),
  is: z.enum(['before', 'after']),
  at: plainText(40),
});
const onGroup = z.object({ on: z.literal('group'), groupIds: names(idText) });
const onPerson = z.object({
  on: z.literal('person'),
  usernames: names(requiredText('A condition needs a user name.', limits.nameCharacters)),
});

const lockOf = <S extends z.ZodType>(condition: S) =>
  z.object({
    name: filledText('A lock needs a name.', limits.nameCharacters),
    fields: z.array(fieldName).min(1).max(limits.fieldsPerKapsule).optional(),
    closes: z.enum(['when', 'unless']),
    conditions: z
      .array(condition)
      .max(limits.conditionsPerLock, `A lock has at most ${limits.conditionsPerLock} conditions.`),
    mayEnter: z.boolean().optional(),
    openers: z.enum(['OWNER', 'DELETE']),
  });

const many = <S extends z.ZodType>(lock: S) =>
  z.array(lock).max(limits.locksPerKapsule, `There are at most ${limits.locksPerKapsule} locks.`);

export const KapsuleLock = lockOf(z.union([FieldCondition, TimeCondition, onGroup, onPerson]));

/** The locks of a kapsule on the wire. */
export const Locks = many(KapsuleLock);

/** Those of a .kap file, in which groups and people of another service mean nothing. */
export const LocksOfFile = many(
  lockOf(
    z.union([FieldCondition, TimeCondition], {
      error: 'A lock of a .kap file has conditions on fields and times only.',
    }),
  ),
);

/** The locks as a person meets them. */
export const SeenLocks = z.array(
  z.object({
    name: z.string(),
    fields: z.array(z.string()).optional(),
    closes: z.enum(['when', 'unless']),
    conditions: z.array(FieldCondition),
    mayEnter: z.boolean().optional(),
  }),
);
