import { mayHaveRule } from '@kaptain/contract/field-rules';
import { isThread } from '@kaptain/contract/fields';

type Rule = Parameters<typeof mayHaveRule>[1];

/** Which rules a field of this type can have; a save changes no thread, so that it has none. */
export const mayHave =
  (type: string) =>
  (rule: Rule): boolean =>
    !isThread(type) && mayHaveRule(type, rule);
