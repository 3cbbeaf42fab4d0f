import { type RuledField, shownName } from '@kaptain/contract/field-rules';
import {
  type FieldDefinition,
  fieldTypeNamed,
  fieldTypes,
  isEmpty,
  readText,
  textRefusal,
} from '@kaptain/contract/fields';
import { comparisonsOf, type FieldComparison, type LockCondition } from '@kaptain/contract/locks';
import { personLocale } from '../../../shared/fields/person-locale.ts';
import { editedText } from '../edit-values.ts';

/** A condition of a lock while it is edited. */
export interface ConditionDraft {
  /** What it asks of: a field, as `field` and its name, or the person, or the day or the time. */
  about: string;
  is: string;
  /** The value, as the person of this browser writes it. */
  text: string;
  /** Ids of groups, or user names. */
  names: string[];
}

const OF_FIELD = 'field ';

export const aboutField = (name: string): string => `${OF_FIELD}${name}`;

/** The field that a condition asks of, if it asks of one. */
export const fieldOf = <F extends { name: string }>(
  { about }: Pick<ConditionDraft, 'about'>,
  fields: readonly F[],
) => fields.find(({ name }) => about === aboutField(name));

export const comparisonNames: Readonly<Record<FieldComparison['is'] | 'before' | 'after', string>> = {
  equals: 'is',
  differs: 'is not',
  atMost: 'is at most',
  atLeast: 'is at least',
  empty: 'is empty',
  filled: 'is filled',
  before: 'is before',
  after: 'is after',
};

/** The comparisons that a condition about this can make. */
export function comparisonsAbout(
  about: string,
  fields: readonly RuledField[],
): { value: string; label: string }[] {
  if (about === 'group') return [{ value: 'in', label: 'is in one of' }];
  if (about === 'person') return [{ value: 'in', label: 'is one of' }];
  const field = fieldOf({ about }, fields);
  const names = field ? comparisonsOf(field.type) : (['before', 'after'] as const);
  return names.map((value) => ({ value, label: comparisonNames[value] }));
}

/** What a condition can ask of. */
export const subjects = (fields: readonly RuledField[]): { value: string; label: string }[] => [
  ...fields
    .filter(({ type }) => comparisonsOf(type).length > 0)
    .map((field) => ({ value: aboutField(field.name), label: shownName(field) })),
  { value: 'group', label: 'The person (groups)' },
  { value: 'person', label: 'The person (user name)' },
  { value: 'day', label: 'The day (UTC)' },
  { value: 'time', label: 'The time' },
];

/** A condition about this, before anything else is chosen. */
export const newCondition = (about: string, fields: readonly RuledField[]): ConditionDraft => ({
  about,
  is: comparisonsAbout(about, fields)[0]?.value ?? '',
  text: '',
  names: [],
});

const isDay = (at: string): boolean => fieldTypes.date.canonical(at) === at;
export const dayOrTime = (at: string): 'day' | 'time' => (isDay(at) ? 'day' : 'time');

/** The field as which a day or a time is typed. */
export const timeField = (about: string): RuledField =>
  about === 'day' ? { name: 'The day', type: 'date' } : { name: 'The time', type: 'timestamp' };

export function conditionDraft(condition: LockCondition, fields: readonly RuledField[]): ConditionDraft {
  if (condition.on === 'group') return { ...newCondition('group', fields), names: condition.groupIds };
  if (condition.on === 'person') return { ...newCondition('person', fields), names: condition.usernames };
  const { is } = condition;
  if (condition.on === 'time') {
    const about = dayOrTime(condition.at);
    return { about, is, text: editedText(timeField(about), condition.at), names: [] };
  }
  const about = aboutField(condition.field);
  const field = fieldOf({ about }, fields) ?? { name: condition.field, type: 'text' };
  return { about, is, text: 'value' in condition ? editedText(field, condition.value) : '', names: [] };
}

/** What is wrong with a draft, for the person. */
interface Unread {
  problem: string;
}

type Read = { value: string | number | boolean } | Unread;

function readValue(definition: FieldDefinition, { unit, ...field }: RuledField, text: string): Read {
  const locale = { ...personLocale(), unit };
  const value = readText(definition, text, locale);
  if (value === undefined) return { problem: `${shownName(field)} ${textRefusal(definition, text, locale)}` };
  if (value === null || isEmpty(value) || Array.isArray(value))
    return { problem: `${shownName(field)} is required!` };
  return { value };
}

/** The condition of a draft, or why it is none. */
export function readCondition(
  draft: ConditionDraft,
  fields: readonly RuledField[],
): { condition: LockCondition } | Unread {
  const { about, text, names } = draft;
  if (about === 'group' || about === 'person') {
    if (names.length === 0) return { problem: about === 'group' ? 'Choose a group!' : 'Choose a person!' };
    const isGroup = about === 'group';
    return {
      condition: isGroup ? { on: 'group', groupIds: names } : { on: 'person', usernames: names },
    };
  }
  const field = fieldOf(draft, fields);
  const is = draft.is as FieldComparison['is'];
  if (field && (is === 'empty' || is === 'filled'))
    return { condition: { on: 'field', field: field.name, is } };
  const typed = field ?? timeField(about);
  const read = readValue(fieldTypeNamed(typed.type), typed, text);
  if ('problem' in read) return read;
  if (field && is !== 'empty' && is !== 'filled')
    return { condition: { on: 'field', field: field.name, is, value: read.value } };
  return {
    condition: { on: 'time', is: draft.is === 'before' ? 'before' : 'after', at: String(read.value) },
  };
}
