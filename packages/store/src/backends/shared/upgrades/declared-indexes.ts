import { type AnyNoun, nounNames, nouns } from '../../../nouns/all.ts';

/** `list`: the field holds a list, and the index has an entry for each member. */
type IndexKind = 'unique' | 'index' | 'list';

export interface DeclaredIndex {
  noun: string;
  field: string;
  kind: IndexKind;
}

/** Every index that the nouns of this version declare. */
export function declaredIndexes(): DeclaredIndex[] {
  return nounNames.flatMap((noun) => {
    const { unique, indexes, lists = [] }: AnyNoun = nouns[noun];
    const kindOf = (field: string): IndexKind => (lists.includes(field) ? 'list' : 'index');
    return [
      ...unique.map((field): DeclaredIndex => ({ noun, field, kind: 'unique' })),
      ...indexes.map((field): DeclaredIndex => ({ noun, field, kind: kindOf(field) })),
    ];
  });
}

/** Compares the indexes that a database has with the declared ones. */
export function compareIndexes<Index extends DeclaredIndex>(
  built: readonly Index[],
  declared: readonly Index[],
): { unknown: Index[]; missing: Index[] } {
  const keyOf = ({ noun, field, kind }: Index) => `${noun}.${field}.${kind}`;
  const builtKeys = new Set(built.map(keyOf));
  const declaredKeys = new Set(declared.map(keyOf));
  return {
    unknown: built.filter((index) => !declaredKeys.has(keyOf(index))),
    missing: declared.filter((index) => !builtKeys.has(keyOf(index))),
  };
}
