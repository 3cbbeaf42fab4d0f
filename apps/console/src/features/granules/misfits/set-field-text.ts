import type { SetOutcome } from '../../../api/set-field.ts';
import { isSessionEnd, messageOf } from '../../../shared/message-of.ts';
import type { Term } from '../../../variants/variant.ts';
import { countText } from '../changed-text.ts';

const REASONS_SHOWN = 10;

/** What became of the rows, each kind in a sentence. */
export function setFieldText(outcome: SetOutcome, noun: Pick<Term, 'one' | 'many'>): string {
  const { saved, changed, tooLarge, refused, unanswered, notTried, failure } = outcome;
  const is = (count: number, one: string, many: string) =>
    count === 0 ? undefined : `${countText(count, noun)} ${count === 1 ? one : many}`;
  const reasons = refused.slice(0, REASONS_SHOWN).map(({ row, message }) => `${row.key}: ${message}`);
  const more = refused.length > REASONS_SHOWN ? ` And ${refused.length - REASONS_SHOWN} more.` : '';
  const sentences = [
    `${countText(saved, noun)} saved.`,
    is(
      changed,
      'was changed or deleted by others meanwhile, and stays as it is.',
      'were changed or deleted by others meanwhile, and stay as they are.',
    ),
    is(tooLarge, 'is too large to be changed here.', 'are too large to be changed here.'),
    refused.length > 0 && `${is(refused.length, 'is', 'are')} refused: ${reasons.join(' ')}${more}`,
    is(unanswered.length, 'may be saved or not.', 'may be saved or not.'),
    is(notTried.length, 'is not saved.', 'are not saved.'),
    failure !== undefined && !isSessionEnd(failure) && messageOf(failure),
  ];
  return sentences.filter((sentence) => typeof sentence === 'string').join(' ');
}
