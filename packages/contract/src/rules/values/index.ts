export { type RowCheck, rowCheck } from './check-row.ts';
export { dependentChoices, type KnownValues, valueCheck } from './check-value.ts';
export {
  type Choice,
  choiceColors,
  type Refusal,
  type RuledField,
  type RuleName,
  STARS,
  shownName,
} from './field-rules.ts';
export { closedRefusal, lockedRow } from './locked-row.ts';
export { patternsProblem } from './pattern.ts';
export { readField } from './read-field.ts';
export { mayHaveRule, rulesProblem } from './rules-problem.ts';
