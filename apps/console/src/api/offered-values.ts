import { dataApi } from '@kaptain/contract/data-api';
import type { RuledField } from '@kaptain/contract/field-rules';
import type { Role } from '@kaptain/contract/vocabulary';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { service } from './service.ts';
import { useUsers } from './users.ts';

const calls = service({ dataApi });

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

/** Values of another kapsule that a field may have; the service tells them also to those who may not read that kapsule. */
export function useChoicesFrom(kapsuleId: string, { name, choicesFrom }: RuledField, typed: string) {
  const { data, isFetching } = useQuery({
    queryKey: ['choices', kapsuleId, name, choicesFrom, typed],
    queryFn: async ({ signal }) => {
      const query = { field: name, q: typed.trim() };
      return (await calls.dataApi.offeredValues({ params: { id: kapsuleId }, query }, { signal })).values;
    },
    enabled: choicesFrom !== undefined,
    placeholderData: keepPreviousData,
  });
  return { values: data ?? [], isLoading: isFetching };
}
