import { ApiError } from '@kaptain/contract/client';
import { messages } from '@kaptain/contract/messages';
import { type Block, blockOf, textOf } from '../paths.ts';
import { secretToReenter } from './secret-to-reenter.ts';

/** The field names of the service's own certificate files, which are not in the settings object. */
const isServerFile = (field: string) => /^server(_key)?\.(pem|pfx)$/.test(field);

/** The field that a refused save is about, if the answer names it or its text allows a guess. */
export function failingField(error: unknown, before: Block, after: Block): readonly string[] | undefined {
  if (!(error instanceof ApiError) || error.status !== 400) return undefined;
  const field = textOf(blockOf(error.details)['field']);
  if (isServerFile(field)) return ['temporary', 'files', field];
  if (field !== '') return field.split('.');
  return error.message.includes(messages.secretAgain) ? secretToReenter(before, after) : undefined;
}
