import { z } from 'zod';
import { plainText, requiredText } from '../../kit/text.ts';
import { limits } from '../limits.ts';
import { choiceColors } from './field-rules.ts';

const choiceText = requiredText('A choice needs a text.', limits.choiceCharacters);
const bound = z.union([z.number(), plainText(limits.nameCharacters)]);
const scalar = z.union([plainText(limits.ruleTextCharacters), z.number(), z.boolean()]);

/** The rules of a field on the wire. */
export const fieldRules = {
  label: plainText(limits.nameCharacters).optional(),
  help: plainText(limits.ruleTextCharacters).optional(),
  required: z.boolean().optional(),
  writeOnce: z.boolean().optional(),
  min: bound.optional(),
  max: bound.optional(),
  decimals: z.number().int().min(0).max(15).optional(),
  unit: plainText(20).optional(),
  thousands: z.boolean().optional(),
  pattern: plainText(limits.nameCharacters).optional(),
  choices: z
    .array(z.object({ value: choiceText, color: z.enum(choiceColors).optional() }))
    .max(limits.choicesPerField)
    .optional(),
  choicesFrom: z.object({ kapsuleId: plainText(100), field: plainText(limits.nameCharacters) }).optional(),
  choicesBy: z
    .object({
      field: plainText(limits.nameCharacters),
      choices: z.record(choiceText, z.array(choiceText).max(limits.choicesPerField)),
    })
    .optional(),
  default: z.union([scalar, z.array(scalar).max(limits.choicesPerField)]).optional(),
};

/** The same in answers of other services: what is no rule there is none here. */
export const forgivingFieldRules = {
  label: fieldRules.label.catch(undefined),
  help: fieldRules.help.catch(undefined),
  required: fieldRules.required.catch(undefined),
  writeOnce: fieldRules.writeOnce.catch(undefined),
  min: fieldRules.min.catch(undefined),
  max: fieldRules.max.catch(undefined),
  decimals: fieldRules.decimals.catch(undefined),
  unit: fieldRules.unit.catch(undefined),
  thousands: fieldRules.thousands.catch(undefined),
  pattern: fieldRules.pattern.catch(undefined),
  choices: fieldRules.choices.catch(undefined),
  choicesFrom: fieldRules.choicesFrom.catch(undefined),
  choicesBy: fieldRules.choicesBy.catch(undefined),
  default: fieldRules.default.catch(undefined),
};
