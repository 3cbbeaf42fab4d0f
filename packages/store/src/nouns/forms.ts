import { UnavailableError } from '../errors.ts';
import type { AnyNoun } from './all.ts';
import type { Fields } from './noun.ts';

/** The key of a stored document that says its form; documents of form 1 have none. */
const FORM = '_form';

/** The schema version of a noun: the form that this version of the service reads and, once it is active, writes. */
export const currentForm = ({ formChanges = [] }: Pick<AnyNoun, 'formChanges'>): number =>
  formChanges.length + 1;

/** Brings a stored document of any earlier form to the current one. */
export function fromStored<D extends Fields>(noun: AnyNoun, stored: D): D {
  // Most nouns have one form, and their documents are not copied.
  if (stored[FORM] === undefined && noun.formChanges === undefined) return stored;
  const { [FORM]: form = 1, ...document } = stored;
  if (!(Number(form) <= currentForm(noun))) throw newerDocument(noun);
  const changes = (noun.formChanges ?? []).slice(Number(form) - 1);
  return changes.reduce<Fields>((older, change) => change.fromOlder(older), document) as D;
}

/** The document as it is stored while `form` is active. */
export function toStored(noun: AnyNoun, document: Fields, form: number): Fields {
  if (noun.formChanges === undefined) return document;
  const changes = noun.formChanges.slice(form - 1);
  const older = changes.reduceRight((newer, change) => change.toOlder(newer), document);
  return form === 1 ? older : { ...older, [FORM]: form };
}

const newerDocument = ({ name }: AnyNoun) =>
  new UnavailableError(
    `A newer version of the service has written to ${name} in the database; install that version or a later one.`,
  );
