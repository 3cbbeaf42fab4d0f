import type { FieldDefinition } from './field-type.ts';
import { text } from './text.ts';

/** Comments as one text (`thread-text.ts`), which only the calls for comments change. */
export const thread: FieldDefinition = text;

export const isThread = (type: unknown): boolean => type === 'thread';
