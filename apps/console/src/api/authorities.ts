import { groups } from '@kaptain/contract/groups';
import type { Authority } from '@kaptain/contract/vocabulary';
import { useQuery } from '@tanstack/react-query';
import { isUnknownCall } from './is-unknown-call.ts';
import { service } from './service.ts';

const calls = service({ groups }).groups;
/** What services without WRITE know. */
const EARLIER: readonly Authority[] = ['READ', 'DELETE'];

/** The authorities that this service gives to groups and keys, by rank. They stay while the page is open. */
export function useAuthorities(): readonly Authority[] {
  const { data = EARLIER } = useQuery({
    queryKey: ['authorities'],
    queryFn: async ({ signal }): Promise<readonly Authority[]> => {
      try {
        return await calls.authorities({}, { signal });
      } catch (error) {
        if (isUnknownCall(error)) return EARLIER;
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
