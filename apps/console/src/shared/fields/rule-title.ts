import type { RuleName } from '@kaptain/contract/field-rules';

const names: Readonly<Record<RuleName, string>> = {
  type: 'Type',
  unknown: 'Unknown field',
  required: 'Required',
  writeOnce: 'Write once',
  min: 'Minimum',
  max: 'Maximum',
  decimals: 'Decimals',
  pattern: 'Pattern',
  choices: 'Choices',
  person: 'Person',
  closed: 'Closed',
  approval: 'Needs approval',
};

/** What people call a rule; another service may have one that is not known here. */
export function ruleTitle(rule: string): string {
  const known: Readonly<Record<string, string>> = names;
  return Object.hasOwn(known, rule) ? (known[rule] ?? rule) : rule;
}
