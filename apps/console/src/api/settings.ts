import { settings } from '@kaptain/contract/settings';
import { useQuery } from '@tanstack/react-query';
import { useStoredUser } from '../shared/session-storage.ts';
import { service } from './service.ts';

const calls = service({ settings }).settings;

interface ApiKeysSwitch {
  isOn: boolean;
  /** The service has not answered yet. */
  isPending: boolean;
}

/** Whether API keys are on: only an ADMIN asks, and while unknown they count as off. */
export function useApiKeysSwitch(): ApiKeysSwitch {
  const isAdmin = useStoredUser()?.role === 'ADMIN';
  const { data, isLoading } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => calls.get({}, { signal }),
    enabled: isAdmin,
  });
  return { isOn: isAdmin && data?.settings.apiKey === true, isPending: isLoading };
}
