import { boolean } from './boolean.ts';
import { choice } from './choice.ts';
import { choices } from './choices.ts';
import { date } from './date.ts';
import type { FieldDefinition } from './field-type.ts';
import { link } from './link.ts';
import { list } from './list.ts';
import { number } from './number.ts';
import { paragraph } from './paragraph.ts';
import { person } from './person.ts';
import { rating } from './rating.ts';
import { text } from './text.ts';
import { thread } from './thread.ts';
import { timestamp } from './timestamp.ts';

/** All types of fields, in the order in which they are offered. */
const types = {
  text,
  paragraph,
  number,
  boolean,
  date,
  timestamp,
  choice,
  choices,
  list,
  person,
  rating,
  link,
  thread,
};

export type FieldType = keyof typeof types;
export const fieldTypes: Readonly<Record<FieldType, FieldDefinition>> = types;
export const fieldTypeNames = Object.keys(types) as FieldType[];

/** The type of this name; another service may have one that is not known here, whose values are edited as text. */
export const fieldTypeNamed = (name: string): FieldDefinition =>
  Object.hasOwn(types, name) ? fieldTypes[name as FieldType] : text;
