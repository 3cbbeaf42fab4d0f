import type { KapsuleStructure } from '@kaptain/contract';
import { rulesProblem } from '@kaptain/contract/field-rules';
import { AppError } from '../../base/errors/app-error.ts';

/** Refuses rules that no value could be checked by. */
export function requireRules(fields: KapsuleStructure['fields']): void {
  for (const [index, field] of fields.entries()) {
    const problem = rulesProblem(field, fields);
    if (problem !== undefined)
      throw new AppError('BAD_INPUT', `The field ${field.name} can’t be saved: ${problem}`, {
        details: { field: `fields.${index}` },
      });
  }
}
