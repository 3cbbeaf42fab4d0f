import { expect, it } from 'vitest';
import { type RuledField, rowCheck } from '../values/index.ts';
import { type Lock, type LockCondition, lockProblem, seenLocks } from './index.ts';

/** A generator with a seed, so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const fields: RuledField[] = [
  { name: 'state', type: 'text' },
  { name: 'size', type: 'number' },
  { name: 'day', type: 'date' },
];
const values: Record<string, (string | number | null)[]> = {
  state: [null, 'open', 'shut'],
  size: [null, 0, 1, 2],
  day: [null, '2026-10-31', '2026-11-01'],
};
type Row = Record<string, string | number | null>;
interface Person {
  name: string;
  groups: string[];
  day: number;
}

/** Written as plainly as it is told. */
function isTrue(condition: LockCondition, row: Row, person: Person): boolean {
  if (condition.on === 'group') return person.groups.some((one) => condition.groupIds.includes(one));
  if (condition.on === 'person') return condition.usernames.includes(person.name);
  if (condition.on === 'time') {
    const day = Number(condition.at.slice(-2));
    return condition.is === 'before' ? person.day < day : person.day > day;
  }
  const value = row[condition.field] ?? null;
  if (!('value' in condition)) return condition.is === 'empty' ? value === null : value !== null;
  if (condition.is === 'equals') return value === condition.value;
  if (condition.is === 'differs') return value !== condition.value;
  if (value === null) return false;
  return condition.is === 'atMost' ? value <= condition.value : value >= condition.value;
}

const isClosed = ({ closes, conditions }: Lock, row: Row, person: Person) => {
  const areAllTrue = conditions.every((condition) => isTrue(condition, row, person));
  return closes === 'when' ? areAllTrue : !areAllTrue;
};

function refusedFields(locks: Lock[], before: Row | null, after: Row, person: Person): string[] {
  const changed = fields
    .map(({ name }) => name)
    .filter((name) => (before?.[name] ?? null) !== (after[name] ?? null));
  const isEnteredEmpty = before === null && changed.length === 0;
  const refuses = (lock: Lock, name: string) => {
    const isIn = lock.fields === undefined || lock.fields.includes(name);
    if (!isIn) return false;
    const mayFill = lock.mayEnter === true && (before?.[name] ?? null) === null;
    if (before && isClosed(lock, before, person) && !mayFill) return true;
    return !lock.mayEnter && isClosed(lock, after, person);
  };
  if (isEnteredEmpty) return locks.some((lock) => !lock.fields && refuses(lock, 'state')) ? ['state'] : [];
  return changed.filter((name) => locks.some((lock) => refuses(lock, name)));
}

it('locks refuse exactly the changes that they tell, whoever saves and when', () => {
  const random = seeded(7);
  const pick = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)] as T;
  const rowOf = (): Row => Object.fromEntries(fields.map(({ name }) => [name, pick(values[name] ?? [])]));
  const names = fields.map(({ name }) => name);
  const conditionOf = (): LockCondition => {
    const kind = random();
    if (kind < 0.15) return { on: 'group', groupIds: [pick(['a', 'b'])] };
    if (kind < 0.3) return { on: 'person', usernames: [pick(['vera', 'otto'])] };
    if (kind < 0.4) return { on: 'time', is: pick(['before', 'after']), at: `2026-10-1${pick([0, 1, 2])}` };
    const field = pick(names);
    if (kind < 0.5) return { on: 'field', field, is: pick(['empty', 'filled']) };
    const value = pick((values[field] ?? []).filter((one) => one !== null));
    return { on: 'field', field, is: pick(['equals', 'differs', 'atMost', 'atLeast']), value };
  };
  const lockOf = (name: string): Lock => ({
    name,
    closes: pick(['when', 'unless']),
    conditions: [conditionOf(), ...(random() < 0.5 ? [conditionOf()] : [])],
    openers: 'DELETE',
    ...(random() < 0.4 && { fields: [pick(names)] }),
    ...(random() < 0.4 && { mayEnter: true }),
  });
  for (let n = 0; n < 5_000; n += 1) {
    const locks = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) => lockOf(`lock ${index}`));
    expect(locks.map((lock) => lockProblem(lock, fields))).toEqual(locks.map(() => undefined));
    const before = random() < 0.3 ? null : rowOf();
    const after = random() < 0.1 && before ? { ...before } : rowOf();
    const person: Person = {
      name: pick(['vera', 'otto']),
      groups: pick([[], ['a'], ['a', 'b']]),
      day: pick([10, 11, 12]),
    };
    const seen = seenLocks(locks, {
      username: person.name,
      groupIds: new Set(person.groups),
      now: `2026-10-${person.day}T10:00:00.000Z`,
    });
    const { refusals } = rowCheck(fields, {}, seen).check(after, before);
    const told = refusals.map(({ field }) => field);
    const expected = refusedFields(locks, before, after, person);
    expect([locks, before, after, person, told.toSorted()]).toEqual([
      locks,
      before,
      after,
      person,
      expected.toSorted(),
    ]);
  }
});
