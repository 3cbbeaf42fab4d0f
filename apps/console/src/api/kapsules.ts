import { kapsules } from '@kaptain/contract/kapsules';
import { useQuery } from '@tanstack/react-query';
import { service } from './service.ts';

const calls = service({ kapsules }).kapsules;

export function useKapsules({ enabled = true } = {}) {
  return useQuery({
    queryKey: ['kapsules'],
    queryFn: ({ signal }) => calls.list({}, { signal }),
    enabled,
  });
}
