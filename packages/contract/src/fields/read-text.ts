import { english, type FieldDefinition, type FieldLocale, type FieldValue } from './field-type.ts';

/** The value that a person's text means, null for a blank one; undefined when it means none, or when that is not clear. */
export function readText(
  { readings }: Pick<FieldDefinition, 'readings'>,
  text: string,
  locale: FieldLocale = english,
): FieldValue | undefined {
  const [value, other] = readings(text, locale);
  return other === undefined ? value : undefined;
}

/** Both readings of a text with two, as they can be typed without a doubt; undefined for other texts. */
export function twoReadings(
  { readings, show }: Pick<FieldDefinition, 'readings' | 'show'>,
  text: string,
  locale: FieldLocale = english,
): [string, string] | undefined {
  const [one, two] = readings(text, locale);
  return one === undefined || two === undefined ? undefined : [show(one, locale), show(two, locale)];
}

/** Why a text has no value, after the name of the field. */
export function textRefusal(
  definition: FieldDefinition,
  text: string,
  locale: FieldLocale = english,
): string {
  const two = twoReadings(definition, text, locale);
  return two ? `can be ${two[0]} or ${two[1]}: please write it in full!` : definition.refusal;
}
