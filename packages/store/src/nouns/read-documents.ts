import { TimeSlice } from '../time-slice.ts';
import type { ReadDocument } from './read-document.ts';

/** Parses the stored documents of a list with turns for other requests in between, because it may be megabytes long. */
export async function readDocuments<T>(stored: readonly string[], toDocument: ReadDocument<T>): Promise<T[]> {
  const slice = new TimeSlice();
  const documents: T[] = [];
  for (const text of stored) {
    documents.push(toDocument(text));
    if (slice.isOver) await slice.pause();
  }
  return documents;
}
