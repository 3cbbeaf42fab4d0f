import { DamagedDocumentError } from './errors.ts';
import { type NounName, nounNames } from './nouns/all.ts';
import type { Nouns } from './store.ts';

/** These grow without end; reading all of them would take too long. */
const GROWING: readonly NounName[] = ['audit', 'seals', 'jobs'];

/** The first damaged document of each noun that stays small. */
export async function damagedDocuments(store: Nouns): Promise<DamagedDocumentError[]> {
  const found: DamagedDocumentError[] = [];
  for (const name of nounNames.filter((noun) => !GROWING.includes(noun))) {
    try {
      await store[name].all();
    } catch (error) {
      if (!(error instanceof DamagedDocumentError)) throw error;
      found.push(error);
    }
  }
  return found;
}
