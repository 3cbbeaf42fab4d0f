import { fieldTypeNamed, isThread } from '@kaptain/contract/fields';
import { threadText } from './threads/thread-words.ts';

/** A value of a field in one line. */
export const valueText = (value: unknown, type: string): string =>
  isThread(type) ? threadText(value) : fieldTypeNamed(type).show(value);
