import type { FieldType } from '@kaptain/contract/fields';
import type { Words } from '../../variants/variant.ts';

/** What people call the types of fields. */
export const typeNames = ({ komment }: Pick<Words, 'komment'>): Readonly<Record<FieldType, string>> => ({
  text: 'Text',
  paragraph: 'Paragraph',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
  timestamp: 'Date and time',
  choice: 'Choice',
  choices: 'Several choices',
  list: 'List',
  person: 'Person',
  rating: 'Rating',
  link: 'Link',
  thread: `Thread of ${komment.many}`,
});

/** The name of a type that may be one of another service. */
export function typeName(type: string, words: Pick<Words, 'komment'>): string {
  const names: Readonly<Record<string, string>> = typeNames(words);
  return Object.hasOwn(names, type) ? (names[type] ?? type) : type;
}
