import {
  english,
  type FieldLocale,
  type FieldValue,
  fieldTypeNamed,
  isEmpty,
  readText,
  textRefusal,
  twoReadings,
} from '../../fields/index.ts';
import { type KnownValues, valueCheck } from './check-value.ts';
import { type RuledField, type RuleName, shownName } from './field-rules.ts';

/** Choices are typed without regard to case. */
function spelled(value: FieldValue, choices: readonly string[]): FieldValue {
  const one = (entry: string | number | boolean | null) =>
    choices.find((choice) => choice === entry) ??
    choices.find((choice) => choice.toLowerCase() === String(entry).toLowerCase()) ??
    entry;
  return Array.isArray(value) ? value.map(one) : one(value);
}

/** Why a text may not be stored: the rule for other languages, the message in English. */
interface RefusedText {
  rule: RuleName;
  message: string;
  /** Of a text that can mean two values. */
  readings?: [string, string];
}

/** The value that a person's text means for a field and its rules, or why it may not be stored. */
export function readField(
  field: RuledField,
  text: string,
  person: FieldLocale = english,
  known?: KnownValues,
): { value: FieldValue } | RefusedText {
  const definition = fieldTypeNamed(field.type);
  const locale = { ...person, unit: field.unit };
  const value = readText(definition, text, locale);
  if (value === undefined) {
    const message = `${shownName(field)} ${textRefusal(definition, text, locale)}`;
    const readings = twoReadings(definition, text, locale);
    return { rule: 'type', message, ...(readings && { readings }) };
  }
  if (isEmpty(value))
    return field.required ? { rule: 'required', message: `${shownName(field)} is required!` } : { value };
  const choices = field.choices?.map((choice) => choice.value) ?? [
    ...(known?.choices?.get(field.name) ?? []),
  ];
  return valueCheck(field, known)(spelled(value, choices));
}
