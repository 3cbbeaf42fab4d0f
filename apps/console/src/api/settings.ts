import { settings } from '@kaptain/contract/settings';
import { useQuery } from '@tanstack/react-query';
import { useStoredUser } from '../shared/session-storage.ts';
import { service } from './service.ts';

const calls = service({ settings }).settings;

/** Whether API keys are on: only an ADMIN asks, and while unknown they count as off. */
export function useApiKeysOn(): boolean {
  const isAdmin = useStoredUser()?.role === 'ADMIN';
  const { data } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => calls.get({}, { signal }),
    enabled: isAdmin,
  });
  return isAdmin && data?.settings.apiKey === true;
}
