import type { RuledField } from '@kaptain/contract/field-rules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { ruled } from '../../shared/fields/ruled-field.ts';
import { rulesText } from '../../shared/fields/rules-text.ts';

type Rules = Omit<RuledField, 'name' | 'type'>;

const choicesText = (choices: NonNullable<Rules['choices']>): string =>
  `choices ${choices.map(({ value, color }) => (color ? `${value} (${color})` : value)).join('; ')}`;

const choicesByText = ({ field, choices }: NonNullable<Rules['choicesBy']>): string =>
  `choices by ${field}: ${Object.entries(choices)
    .map(([value, some]) => `${value} → ${some.join('; ')}`)
    .join(', ')}`;

/** Each rule of a field in words by its name, with all that it says: two texts are the same when the rules are. */
export function rulesInFull(field: Kapsule['fields'][number]): Map<string, string> {
  const { name, type, label, help, choices, choicesFrom, choicesBy, thousands, ...others } = ruled(field);
  const plain = { name, type };
  const texts: [keyof Rules, string | false | undefined][] = [
    ['label', label && `label ${label}`],
    ['help', help && `help ${help}`],
    ['thousands', thousands && 'thousands shown'],
    ['choices', choices && choices.length > 0 && choicesText(choices)],
    ['choicesFrom', choicesFrom && `choices from ${choicesFrom.field} of ${choicesFrom.kapsuleId}`],
    ['choicesBy', choicesBy && choicesByText(choicesBy)],
  ];
  const named = texts.filter((entry): entry is [keyof Rules, string] => Boolean(entry[1]));
  const rest = Object.entries(others).map(([rule, value]): [string, string] => [
    rule,
    rulesText({ ...plain, [rule]: value }).join(', '),
  ]);
  return new Map([...named, ...rest.filter(([, text]) => text !== '')]);
}
