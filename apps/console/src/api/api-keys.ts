import { apiKeys } from '@kaptain/contract/api-keys';
import type { CallInput } from '@kaptain/contract/route';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ignoringAnswer } from './ignoring-answer.ts';
import { service } from './service.ts';

const calls = service({ apiKeys }).apiKeys;

export type NewApiKey = CallInput<typeof apiKeys.create>['body'];

const API_KEYS = ['api-keys'];

export function useApiKeys() {
  return useQuery({
    queryKey: API_KEYS,
    queryFn: ({ signal }) => calls.list({}, { signal }),
  });
}

/** Requests a new random key; the service does not store it. */
export function useGenerateApiKey() {
  return useMutation({ mutationFn: async () => (await calls.generate()).apikey });
}

function useRefreshed() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: API_KEYS });
}

export function useCreateApiKey() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (body: NewApiKey) => ignoringAnswer(calls.create({ body })),
    onSuccess: refresh,
  });
}

export function useRemoveApiKey() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (id: string) => ignoringAnswer(calls.remove({ params: { id } })),
    onSettled: refresh,
  });
}
