import { isThread } from '@kaptain/contract/fields';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { ruled } from '../../shared/fields/ruled-field.ts';
import { shownText } from '../../shared/fields/shown-text.ts';
import { threadText } from './threads/thread-words.ts';

/** A value of a field in one line. */
export const valueText = (value: unknown, field: Kapsule['fields'][number]): string =>
  isThread(field.type) ? threadText(value) : shownText(ruled(field), value);
