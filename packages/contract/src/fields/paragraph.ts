import type { FieldDefinition } from './field-type.ts';
import { text } from './text.ts';

/** A text of several lines. */
export const paragraph: FieldDefinition = { ...text, earlier: 'text', enteredAs: 'paragraph' };
