import { fieldTypeNamed, fieldTypes, isEmpty, isThread } from '../../fields/index.ts';
import { foldName } from '../folding.ts';
import type { FieldComparison, Lock, SaverCondition } from './lock.ts';

type Fields = readonly { name: string; type: string }[];
type Types = ReadonlyMap<string, string>;

/** The comparisons that values of a type have. */
export function comparisonsOf(type: string): FieldComparison['is'][] {
  if (isThread(type)) return [];
  const { comparedAs } = fieldTypeNamed(type);
  if (comparedAs === 'list') return ['empty', 'filled'];
  if (comparedAs === 'boolean') return ['equals', 'differs', 'empty', 'filled'];
  return ['equals', 'differs', 'atMost', 'atLeast', 'empty', 'filled'];
}

/** The fields of which a lock speaks. */
export const fieldsOfLock = ({ fields = [], conditions }: Pick<Lock, 'fields' | 'conditions'>): string[] => [
  ...new Set([...fields, ...conditions.flatMap((one) => (one.on === 'field' ? [one.field] : []))]),
];

function comparisonProblem(condition: FieldComparison, types: Types): string | undefined {
  const { field: name, is } = condition;
  const type = types.get(name) ?? '';
  if (!comparisonsOf(type).includes(is)) return `values of the type ${type} are not compared by ${is}.`;
  if (!('value' in condition)) return undefined;
  const { value } = condition;
  const isOne = !isEmpty(value) && fieldTypeNamed(type).canonical(value) === value;
  return isOne ? undefined : `${JSON.stringify(value)} is no value of the field ${name}.`;
}

function saverProblem(condition: SaverCondition): string | undefined {
  if (condition.on !== 'time') return undefined;
  const { at } = condition;
  const isTime = [fieldTypes.date, fieldTypes.timestamp].some(({ canonical }) => canonical(at) === at);
  return isTime ? undefined : `${JSON.stringify(at)} is neither a day nor a time in UTC.`;
}

/** What is wrong with a lock among the fields of its kapsule; undefined when nothing is. */
export function lockProblem(lock: Lock, fields: Fields): string | undefined {
  const { closes, conditions } = lock;
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  const missing = fieldsOfLock(lock).find((name) => !types.has(name));
  if (missing !== undefined) return `there is no field ${JSON.stringify(missing)}.`;
  if (lock.fields?.length === 0) return 'it closes no field.';
  if (closes === 'unless' && conditions.length === 0) return 'it needs a condition by which rows are open.';
  for (const condition of conditions) {
    const problem = condition.on === 'field' ? comparisonProblem(condition, types) : saverProblem(condition);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** What is wrong with the locks of a kapsule, with the name of the lock. */
export function locksProblem(locks: readonly Lock[], fields: Fields): string | undefined {
  const names = new Set<string>();
  for (const lock of locks) {
    const folded = foldName(lock.name);
    if (folded === '') return 'A lock needs a name with visible characters.';
    if (names.has(folded)) return `The lock ${lock.name} is there more than once.`;
    names.add(folded);
    const problem = lockProblem(lock, fields);
    if (problem !== undefined) return `The lock ${lock.name}: ${problem}`;
  }
  return undefined;
}
