import type { GranulePageQuery, GranuleRecord } from '../granules.ts';
import { type NounName, nounNames, nouns } from '../nouns/all.ts';
import { currentForm, toStored } from '../nouns/forms.ts';
import type { Fields } from '../nouns/noun.ts';
import { readers } from '../nouns/readers.ts';
import type { Store } from '../store.ts';

const ALL = { sort: 'key', descending: false, offset: 0, limit: 1_000 } as const satisfies GranulePageQuery;

interface KapsuleContent {
  counts: unknown;
  granules: unknown[];
  deleted: unknown[];
  histories: unknown[];
}

/** All that a store holds; tools/released-data has one for the data of each released version. */
export interface Content {
  /** Stored texts, with the form that the release wrote. */
  nouns: Partial<Record<NounName, string[]>>;
  kapsules: Record<string, KapsuleContent>;
}

export async function contentOf(store: Store): Promise<Content> {
  const documents: Content['nouns'] = {};
  for (const name of nounNames) {
    const all = (await store[name].all()) as unknown as Fields[];
    documents[name] = all.map((document) =>
      JSON.stringify(toStored(nouns[name], document, currentForm(nouns[name]))),
    );
  }
  const kapsules: Content['kapsules'] = {};
  for (const { id } of await store.kapsules.all()) kapsules[id] = await kapsuleContent(store, id);
  return { nouns: documents, kapsules };
}

async function kapsuleContent({ granules }: Store, id: string): Promise<KapsuleContent> {
  const { rows } = await granules.page(id, ALL);
  const deleted = await granules.page(id, { ...ALL, deleted: true });
  const whole = [...rows, ...deleted.rows] as GranuleRecord[];
  return {
    counts: await granules.counts(id),
    granules: rows,
    deleted: deleted.rows,
    histories: await Promise.all(whole.map((row) => granules.history(row.id))),
  };
}

/** The documents of a content as this version reads them. */
export const documentsOf = ({ nouns: stored }: Content) =>
  Object.fromEntries(
    (Object.entries(stored) as [NounName, string[]][]).map(([name, texts]) => [
      name,
      texts.map((text): unknown => readers[name](text)),
    ]),
  );
