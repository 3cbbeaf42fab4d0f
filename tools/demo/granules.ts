import { commentTime, type ThreadComment, writeThread } from '@kaptain/contract';
import { dependentChoices, type RuledField, STARS } from '@kaptain/contract/field-rules';
import { type EnteredAs, fieldTypes, isThread } from '@kaptain/contract/fields';
import type { GranuleInput } from '@kaptain/store';
import { type DemoKapsule, fieldsOf, keyAt } from './kapsules.ts';
import { minutesAgo, oneOf, random, whole } from './random.ts';

const subjects = [
  'The customer',
  'Purchasing',
  'The regional lead',
  'Our partner',
  'The plant in Łódź',
  'Zürich',
  'El equipo',
];
const verbs = ['confirmed', 'postponed', 'questions', 'approved', 'corrected', 'is waiting for'];
const objects = [
  'the delivery',
  'the budget line',
  'the Überraschung in March',
  'the new price',
  'the contract',
  'the count',
];
const tails = [
  '',
  ' See the mail of Monday.',
  ' Follow up next week.',
  ' – größer als erwartet.',
  ' 要確認',
  ' To be reviewed.',
];
const statuses = ['open', 'in review', 'agreed', 'rejected'];
const authors = ['jwe', 'mli', 'tko', 'adu', 'sro', 'yta'];

const questions = ['Is this final?', 'Who has confirmed it?', 'Please check the amount.', 'Warum so viel?'];
const replies = ['Yes, see the mail of Monday.', 'I ask and come back.', 'Corrected.', 'Stimmt so.'];

const isDiscussed = (index: number) => index % 4 === 1;

/** A discussion of two people, on every fourth row. */
function threadAt(index: number): string | undefined {
  if (!isDiscussed(index)) return undefined;
  const first = whole(0, authors.length - 1);
  const second = first + whole(1, authors.length - 1);
  const name = (of: number) => `CORP\\${authors[of % authors.length]}`;
  const begun = whole(200, 20_000);
  const comment = (author: string, text: string, minutes: number): ThreadComment => ({
    id: Math.floor(random() * 1e12)
      .toString(36)
      .padStart(8, '0'),
    author,
    at: commentTime(Date.parse(minutesAgo(minutes))),
    text,
  });
  const asked = comment(name(first), `@[${name(second)}] ${oneOf(questions)}`, begun);
  return writeThread({
    preface: '',
    comments: [asked, comment(name(second), oneOf(replies), begun - whole(5, 150))],
  });
}

/** A value that the rules of its field allow. */
function ruledValue(field: RuledField, row: ReadonlyMap<string, unknown>): unknown {
  const choices = dependentChoices(field, row) ?? field.choices?.map(({ value }) => value) ?? [];
  const makers: Partial<Record<EnteredAs, () => unknown>> = {
    choice: () => (choices.length === 0 ? null : oneOf(choices)),
    choices: () => choices.filter(() => random() < 0.5).slice(0, Number(field.max)),
    rating: () => whole(0, STARS),
    person: () => oneOf(['amelie.durand', 'tomasz.kowalski']),
    link: () => `https://contracts.example.com/${whole(1000, 9999)}`,
  };
  if (field.pattern !== undefined) return `SUP-${whole(1000, 9999)}`;
  return makers[fieldTypes[field.type].enteredAs]?.();
}

/** Every 90th severity was written before there were choices. */
const isOfBefore = ({ name }: RuledField, index: number) => name === 'Severity' && index % 90 === 7;

function valueOf(ruled: RuledField, row: ReadonlyMap<string, unknown>, index: number): unknown {
  const { type, name: field } = ruled;
  if (isThread(type)) return threadAt(index);
  if (isOfBefore(ruled, index)) return 'urgent!';
  const value = ruledValue(ruled, row);
  if (value !== undefined) return value;
  switch (fieldTypes[type].comparedAs) {
    case 'number':
      return Math.round(random() * 1_000_000) / 100;
    case 'boolean':
      return random() < 0.6;
    case 'day':
      return minutesAgo(whole(-200_000, 200_000)).slice(0, 10);
    case 'time':
      return minutesAgo(whole(0, 80_000));
    case 'list':
      return [oneOf(statuses), oneOf(statuses)];
    case 'text':
      return field === 'Status'
        ? oneOf(statuses)
        : `${oneOf(subjects)} ${oneOf(verbs)} ${oneOf(objects)}.${oneOf(tails)}`;
  }
}

function granuleAt({ sketch }: DemoKapsule, index: number): GranuleInput {
  const [, table] = sketch;
  const row = new Map<string, unknown>();
  for (const field of fieldsOf(sketch)) row.set(field.name, valueOf(field, row, index));
  return {
    key: keyAt(table, index),
    user: `UserDirectory=CORP; UserId=${oneOf(authors)}`,
    data: Object.fromEntries(row),
    createdAt: minutesAgo(whole(30, 60_000)),
  };
}

/** Generates a range of one kapsule's granules. */
export function* granulesBetween(kapsule: DemoKapsule, from: number, to: number): Generator<GranuleInput> {
  const [, , , , , count] = kapsule.sketch;
  for (let index = Math.floor(count * from); index < Math.floor(count * to); index++)
    yield granuleAt(kapsule, index);
}

/** Edits of some existing granules, so that they have a history. */
export function editsOf(kapsule: DemoKapsule, upTo: number, howMany: number): GranuleInput[] {
  const [, , , , , count] = kapsule.sketch;
  const known = Math.floor(count * upTo);
  if (known === 0) return [];
  const places = Array.from({ length: Math.min(howMany, known) }, () => whole(0, known - 1));
  // An edit of a discussed row would replace what people have said.
  return [...new Set(places)]
    .filter((index) => !isDiscussed(index))
    .map((index) => granuleAt(kapsule, index));
}
