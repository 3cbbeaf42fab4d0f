import { z } from 'zod';
import { idText, requiredText } from '../../kit/text.ts';
import { limits } from '../limits.ts';

/** Which changes of a kapsule need approval, and whose. */
export const Approval = z.object({
  /** The names of the fields that need it; without them all, except threads. */
  fields: z
    .array(requiredText('A field needs a name.'))
    .min(1, 'Please name at least one field, or leave the fields out for all!')
    .max(limits.fieldsPerKapsule)
    .optional(),
  /** Members of these groups approve who may also write; each group must have the kapsule. */
  groupIds: z
    .array(idText)
    .min(1, 'Please choose at least one group!')
    .max(limits.groupsPerApproval, `Please choose at most ${limits.groupsPerApproval} groups!`),
  /** How many different people have to approve. */
  count: z.union([z.literal(1), z.literal(2)]).default(1),
});
export type Approval = z.infer<typeof Approval>;

/** The approval of a kapsule as its sheets and pages show it before a person types. */
export const ShownApproval = z.object({
  /** The names of all fields that need it. */
  fields: z.array(z.string()),
  count: z.number(),
  /** Whether the caller is one of those who approve changes of others. */
  mayDecide: z.boolean(),
});
export type ShownApproval = z.infer<typeof ShownApproval>;
