import { type RuledField, type RuleName, STARS, shownName } from '@kaptain/contract/field-rules';
import { fieldTypeNamed } from '@kaptain/contract/fields';
import { texts } from '../texts/texts.ts';
import { sheetLocale } from './sheet-locale.ts';

/** What is wrong with a value: by a rule, with the sentence of the service for rules that are not known here. */
interface Refused {
  rule: RuleName;
  message: string;
  readings?: readonly [string, string];
}

function boundText(field: RuledField, bound: 'min' | 'max'): string {
  const { boundedAs = 'number', show, enteredAs } = fieldTypeNamed(field.type);
  const { atLeast, atMost } = texts().refused;
  const what = boundedAs === 'characters' || boundedAs === 'entries' ? boundedAs : 'value';
  const limit = field[bound] ?? (enteredAs === 'rating' ? STARS : undefined);
  const shown = what === 'value' ? show(limit, sheetLocale()) : String(limit);
  return (bound === 'min' ? atLeast : atMost)[what](shown);
}

function reasonOf(field: RuledField, { rule, readings, message }: Refused): string | undefined {
  const { refused, refusals } = texts();
  switch (rule) {
    case 'type':
      return readings ? refused.twoReadings(...readings) : refusals[field.type];
    case 'min':
    case 'max':
      return boundText(field, rule);
    case 'decimals':
      return refused.decimals(String(field.decimals ?? 0));
    case 'pattern':
      return refused.pattern(field.pattern ?? '');
    case 'person':
      return refusals.person;
    case 'choices':
      return refusals.choice;
    case 'required':
    case 'writeOnce':
    case 'closed':
    case 'approval':
    case 'unknown':
      return refused[rule];
    default:
      return message === '' ? refusals[field.type] : undefined;
  }
}

/** Why a value is refused, in the language of the sheet. */
export function refusalText(field: RuledField, refused: Refused, choices?: readonly string[]): string {
  if (refused.rule === 'choices' && choices) {
    const offered = choices.join('; ');
    const isOne = fieldTypeNamed(field.type).enteredAs === 'choice';
    return isOne ? texts().noChoice(offered) : texts().noChoices(offered);
  }
  const reason = reasonOf(field, refused);
  return reason === undefined ? refused.message : `${shownName(field)} ${reason}`;
}
