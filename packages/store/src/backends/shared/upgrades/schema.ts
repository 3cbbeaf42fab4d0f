import { createHash } from 'node:crypto';
import { type AnyNoun, nounNames, nouns } from '../../../nouns/all.ts';
import { currentForm } from '../../../nouns/forms.ts';
import { compareIndexes, type DeclaredIndex } from './declared-indexes.ts';

/*
 * A database records its active schema: the form in which each noun is written and the indexes that are kept. An instance
 * reads every earlier form, writes the active one, and keeps the active indexes beside its own. The active schema
 * changes only while no instance of another version uses the database; until then the change is pending.
 */
export interface ActiveSchema {
  /** By the name of the noun; one that is not named is in form 1. */
  forms: Readonly<Record<string, number>>;
  indexes: readonly DeclaredIndex[];
}

/** A change of the active schema. */
export type SchemaChange =
  | { kind: 'form'; noun: string; form: number }
  | { kind: 'build'; index: DeclaredIndex }
  | { kind: 'drop'; index: DeclaredIndex };

export const describeChange = (change: SchemaChange): string => {
  if (change.kind === 'form') return `form ${change.form} of ${change.noun}`;
  const { noun, field } = change.index;
  return change.kind === 'build'
    ? `an index on ${noun}.${field}`
    : `the end of the index on ${noun}.${field}`;
};

/** The nouns as one open database has them. */
export class Schema {
  readonly #declared: readonly DeclaredIndex[];
  #active: ActiveSchema = { forms: {}, indexes: [] };
  #built: ReadonlySet<string> = new Set();
  /** Active indexes that only other versions declare. */
  #others: readonly DeclaredIndex[] = [];
  readonly #withAll = new Map<string, AnyNoun>();

  constructor(declared: readonly DeclaredIndex[]) {
    this.#declared = declared;
  }

  get active(): ActiveSchema {
    return this.#active;
  }

  /** Called with what the database records: when it is opened, and after each change. */
  set active(recorded: ActiveSchema) {
    this.#active = recorded;
    this.#withAll.clear();
    this.#others = compareIndexes(recorded.indexes, this.#declared).unknown;
    this.#built = new Set(recorded.indexes.map(({ noun, field }) => `${noun}.${field}`));
  }

  /** The form in which documents of a noun are written. */
  formOf(noun: AnyNoun): number {
    return Math.min(this.#active.forms[noun.name] ?? 1, currentForm(noun));
  }

  /** Whether an index can be asked; one that is pending has no entries for earlier documents. */
  isBuilt(noun: string, field: string): boolean {
    return this.#built.has(`${noun}.${field}`);
  }

  /** The noun with the active indexes of other versions: their entries are kept too. */
  withAllIndexes(noun: AnyNoun): AnyNoun {
    const complete = this.#withAll.get(noun.name) ?? this.#addOthers(noun);
    this.#withAll.set(noun.name, complete);
    return complete;
  }

  #addOthers(noun: AnyNoun): AnyNoun {
    const own = this.#others.filter((index) => index.noun === noun.name);
    if (own.length === 0) return noun;
    const fieldsOf = (...kinds: string[]) =>
      own.filter(({ kind }) => kinds.includes(kind)).map(({ field }) => field);
    return {
      ...noun,
      unique: [...noun.unique, ...fieldsOf('unique')],
      indexes: [...noun.indexes, ...fieldsOf('index', 'list')],
      lists: [...(noun.lists ?? []), ...fieldsOf('list')],
    };
  }

  /** The changes that would make the schema of this version the active one. */
  changes(): SchemaChange[] {
    const { unknown, missing } = compareIndexes(this.#active.indexes, this.#declared);
    const raised = nounNames.filter((name) => this.formOf(nouns[name]) < currentForm(nouns[name]));
    return [
      ...unknown.map((index): SchemaChange => ({ kind: 'drop', index })),
      ...missing.map((index): SchemaChange => ({ kind: 'build', index })),
      ...raised.map((noun): SchemaChange => ({ kind: 'form', noun, form: currentForm(nouns[noun]) })),
    ];
  }
}

/** Whether the recorded forms, or tables, are those of a newer version. */
export function isNewer(
  { forms }: Pick<ActiveSchema, 'forms'>,
  leastSteps: number,
  knownSteps: number,
): boolean {
  const isForm = ([name, form]: [string, number]) =>
    Object.hasOwn(nouns, name) && form > currentForm(nouns[name as keyof typeof nouns]);
  return leastSteps > knownSteps || Object.entries(forms).some(isForm);
}

/** The same for instances that want the same schema; a positive number of 28 bits. */
export function schemaNumber(steps: number, declared: readonly DeclaredIndex[]): number {
  const forms = nounNames.map((name) => [name, currentForm(nouns[name])]);
  const text = JSON.stringify([steps, forms, declared]);
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 7), 16);
}
