import { idAt } from '../../ids.ts';
import type { RecentQuery } from '../../store.ts';

/** Sorts after every id, because ids are hex digits. */
const AFTER_EVERY_ID = 'g';

/** The ids of a query for recent documents: from the first one, before the second one. Ids begin with their time. */
export function idSpan({ before, since, until }: RecentQuery<Record<string, unknown>>): {
  from: string;
  before: string;
} {
  const ends = [before, until && idAt(until)].filter((id) => id !== undefined);
  return { from: since ? idAt(since) : '', before: ends.sort()[0] ?? AFTER_EVERY_ID };
}
