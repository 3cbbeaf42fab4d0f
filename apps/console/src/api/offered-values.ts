import { dataApi } from '@kaptain/contract/data-api';
import type { RuledField } from '@kaptain/contract/field-rules';
import { textOf } from '@kaptain/contract/fields';
import { granules } from '@kaptain/contract/granules';
import { ownValue } from '@kaptain/contract/own-value';
import type { Role } from '@kaptain/contract/vocabulary';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { service } from './service.ts';
import { useUsers } from './users.ts';

const calls = service({ dataApi, granules });

/** Granules that are looked through for the values of one field. */
const LOOKED_THROUGH = 200;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** User names that can be a value of a kapsule. Only an ADMIN may list all accounts; others find those that have the kapsule. */
export function usePeople(kapsuleId: string, typed: string, role: Role, { enabled }: { enabled: boolean }) {
  const isAdmin = role === 'ADMIN';
  const users = useUsers({ enabled: enabled && isAdmin });
  const people = useQuery({
    queryKey: ['people', kapsuleId, typed],
    queryFn: async ({ signal }) =>
      (await calls.dataApi.people({ params: { id: kapsuleId }, query: { q: typed } }, { signal })).people,
    enabled: enabled && !isAdmin,
    placeholderData: keepPreviousData,
  });
  return {
    values: (isAdmin ? users.data?.map(({ username }) => username) : people.data) ?? [],
    isLoading: users.isFetching || people.isFetching,
  };
}

/** Values of a field of another kapsule, from the granules that a search finds there. */
export function useChoicesFrom(from: RuledField['choicesFrom'], typed: string) {
  const { data, isFetching } = useQuery({
    queryKey: ['granules', from?.kapsuleId, 'choices', from?.field, typed],
    queryFn: async ({ signal }) => {
      const query = { q: typed.trim() || undefined, page: 1, size: LOOKED_THROUGH };
      const answer = await calls.granules.list({ params: { id: from?.kapsuleId ?? '' }, query }, { signal });
      const rows = Array.isArray(answer) ? answer : answer.data;
      const values = rows.flatMap(({ data: row }) => {
        const value = isRecord(row) ? ownValue(row, from?.field ?? '') : undefined;
        return value === undefined || value === null || value === '' ? [] : [textOf(value)];
      });
      return [...new Set(values)].sort();
    },
    enabled: from !== undefined,
    placeholderData: keepPreviousData,
  });
  return { values: data ?? [], isLoading: isFetching };
}
