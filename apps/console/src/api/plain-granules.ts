import {
  compareSortValues,
  fieldsTest,
  type SortField,
  sortValueOf,
} from '@kaptain/contract/field-conditions';
import { foldText } from '@kaptain/contract/folding';
import type { Granule } from '@kaptain/contract/granules';
import type { GranuleFilter, GranuleQuery, ShownGranules } from './granule-query.ts';

function collect(value: unknown, parts: string[]): void {
  if (typeof value === 'object' && value !== null)
    for (const entry of Object.values(value)) collect(entry, parts);
  else if (typeof value === 'string') parts.push(value);
  else if (value !== undefined && value !== null) parts.push(JSON.stringify(value));
}

const texts = new WeakMap<Granule, string>();

/** Spec 5: the search is over the whole record, in any case. */
function textOf(granule: Granule): string {
  const cached = texts.get(granule);
  if (cached !== undefined) return cached;
  const parts: string[] = [];
  collect(granule, parts);
  const text = foldText(parts.join('\n'));
  texts.set(granule, text);
  return text;
}

const dataOf = ({ data }: Granule) =>
  (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;

function matchingGranules(list: readonly Granule[], { q, reloaded, conditions }: GranuleFilter): Granule[] {
  const isWanted = fieldsTest(conditions);
  const wanted = foldText(q.trim());
  return list.filter(
    (granule) =>
      (reloaded === undefined || granule.reloaded === reloaded) &&
      (wanted === '' || textOf(granule).includes(wanted)) &&
      isWanted(dataOf(granule)),
  );
}

/** The ids of all matching granules; throws when they are no longer as many as the user saw, as our own service does. */
export function matchingIds(list: readonly Granule[], filter: GranuleFilter, expected: number): string[] {
  const matching = matchingGranules(list, filter);
  if (matching.length !== expected)
    throw new Error('The records have changed meanwhile. Please look at them again.');
  return matching.map(({ _id }) => _id);
}

const textOfValue = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function sortedByField(list: readonly Granule[], field: SortField, descending: boolean): Granule[] {
  const valueOf = (granule: Granule) => sortValueOf(field, dataOf(granule));
  return list.toSorted((a, b) => compareSortValues(valueOf(a), valueOf(b), descending));
}

function sorted(list: readonly Granule[], { sort, sortField }: GranuleQuery): Granule[] {
  if (sortField) return sortedByField(list, sortField, sort.startsWith('-'));
  const name = sort.replace(/^-/, '');
  const sign = sort.startsWith('-') ? -1 : 1;
  const valueOf = (granule: Granule) => textOfValue(granule[name]);
  return list.toSorted((a, b) => sign * collator.compare(valueOf(a), valueOf(b)));
}

/** The page that our own service would answer, computed from the whole list of another service. */
export function pageInMemory(list: readonly Granule[], query: GranuleQuery): ShownGranules {
  const matching = matchingGranules(list, query);
  const first = (query.page - 1) * query.size;
  const reloaded = list.filter((granule) => granule.reloaded).length;
  return {
    data: sorted(matching, query).slice(first, first + query.size),
    total: matching.length,
    totalIsExact: true,
    summary: { total: list.length, reloaded, notReloaded: list.length - reloaded },
    isPlain: true,
  };
}
