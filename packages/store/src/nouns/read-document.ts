import { DamagedDocumentError } from '../errors.ts';
import { firstFault, text, whole } from './checks.ts';
import { fromStored } from './forms.ts';
import type { Fields, Noun, Stored } from './noun.ts';

export type ReadDocument<T> = (stored: string) => T;

/** Parses stored documents of a noun, brings them to the current form and checks every declared field. */
export function documentReader<T extends Stored>(noun: Noun<T>): ReadDocument<T> {
  const faultOf = firstFault({ id: text, version: whole, ...noun.fields });
  return (stored) => {
    const document = fromStored(noun, parsed(noun.name, stored));
    const fault = faultOf(document);
    if (fault !== undefined) throw new DamagedDocumentError(noun.name, String(document['id']), fault);
    return document as unknown as T;
  };
}

function parsed(noun: string, stored: string): Fields {
  try {
    const value: unknown = JSON.parse(stored);
    if (typeof value === 'object' && value !== null) return value as Fields;
  } catch {
    // Reported below.
  }
  throw new DamagedDocumentError(noun);
}
