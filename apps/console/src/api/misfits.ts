import { pathOf } from '@kaptain/contract/client';
import { dataApi } from '@kaptain/contract/data-api';
import { type Granule, granules } from '@kaptain/contract/granules';
import type { KapsuleChange } from '@kaptain/contract/kapsules';
import { limits } from '@kaptain/contract/limits';
import type { FieldsCheck } from '@kaptain/contract/misfits';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { download } from './downloads.ts';
import { isUnknownCall } from './is-unknown-call.ts';
import { service } from './service.ts';

const { granules: calls, dataApi: dataCalls } = service({ granules, dataApi });

/** The stored values that these fields would refuse; undefined where the service has no such check. */
async function checkFields(id: string, fields: KapsuleChange['fields']): Promise<FieldsCheck | undefined> {
  try {
    return await calls.checkFields({ params: { id }, body: { fields } });
  } catch (error) {
    if (isUnknownCall(error)) return undefined;
    throw error;
  }
}

export function useCheckFields(id: string) {
  return useMutation({ mutationFn: (fields: KapsuleChange['fields']) => checkFields(id, fields) });
}

export interface MisfitQuery {
  field: string;
  rule: string;
  q: string;
}

const sent = ({ field, rule, q }: MisfitQuery) => ({
  field: field || undefined,
  rule: rule || undefined,
  q: q.trim() || undefined,
});

export const misfitsKey = (id: string) => ['granules', id, 'misfits'];

/** The service reads all granules of the kapsule for it, which is not repeated for each visit of a page. */
const KEPT_MS = 5 * 60_000;

/** The stored values that do not fit the types and rules of their fields. */
export function useMisfits(id: string, query: MisfitQuery, { enabled = true } = {}) {
  return useQuery({
    queryKey: [...misfitsKey(id), query],
    queryFn: ({ signal }) => calls.misfits({ params: { id }, query: sent(query) }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: KEPT_MS,
    enabled,
  });
}

/** Downloads them as CSV. */
export const downloadMisfits = (id: string, query: MisfitQuery): Promise<void> =>
  download(pathOf(granules.exportMisfits, { params: { id }, query: sent(query) }));

/** The granules of these keys as they are now; those that are deleted are left out. */
export async function lookUp(id: string, keys: readonly string[]): Promise<Granule[]> {
  const found: Granule[] = [];
  let asked = 0;
  // An answer that was cut by its bytes has fewer entries than keys.
  while (asked < keys.length) {
    const some = keys.slice(asked, asked + limits.keysPerLookup);
    const { data } = await dataCalls.lookup({ params: { id }, body: { keys: some } });
    if (data.length === 0) break;
    found.push(...data.filter((granule) => granule !== null));
    asked += data.length;
  }
  return found;
}
