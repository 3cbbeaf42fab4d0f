import { secondFactor } from '@kaptain/contract/second-factor';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { setMustSetUpFactor } from '../shared/identity.ts';
import { createPasskey, signWithPasskey } from '../shared/passkeys.ts';
import { useWords } from '../variants/use-variant.ts';
import { isUnknownCall } from './is-unknown-call.ts';
import { service } from './service.ts';

const calls = service({ secondFactor }).secondFactor;

const FACTOR = ['second-factor'];
const ADDING = ['second-factor', 'adding'];

/** Null for a service that has no second factors: they are an extra. */
export function useSecondFactor() {
  return useQuery({
    queryKey: FACTOR,
    queryFn: ({ signal }) =>
      calls.get({}, { signal }).catch((error: unknown) => {
        if (isUnknownCall(error)) return null;
        throw error;
      }),
  });
}

function useRefreshed() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: FACTOR });
}

/** A new secret, made again by each call: none is kept in a cache. */
export const useStartTotp = () => useMutation({ mutationFn: () => calls.startTotp(), gcTime: 0 });

export function useConfirmTotp() {
  return useMutation({
    mutationKey: ADDING,
    mutationFn: (body: { setup: string; code: string }) => calls.confirmTotp({ body }),
    gcTime: 0,
  });
}

/** Whether a second factor is being added, whose recovery codes come with the answer. */
export const useIsAddingFactor = () => useIsMutating({ mutationKey: ADDING }) > 0;

/** After the set-up: the card shows it, and a user who was held up by it gets all answers again. */
export function useFactorChanged(): () => void {
  const queries = useQueryClient();
  return () => {
    setMustSetUpFactor(false);
    void queries.invalidateQueries();
  };
}

export function useRemoveTotp() {
  const refresh = useRefreshed();
  return useMutation({ mutationFn: () => calls.removeTotp(), onSettled: refresh });
}

/** Makes a passkey in this browser and stores it; the answer has recovery codes with the first second factor. */
export function useAddPasskey() {
  const { service: serviceName } = useWords();
  return useMutation({
    mutationKey: ADDING,
    mutationFn: async (name: string) => {
      const passkey = await createPasskey(await calls.startPasskey(), serviceName);
      return calls.confirmPasskey({ body: { name, passkey } });
    },
    gcTime: 0,
  });
}

export function useRenamePasskey() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      calls.renamePasskey({ params: { id }, body: { name } }),
    onSettled: refresh,
  });
}

export function useRemovePasskey() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (id: string) => calls.removePasskey({ params: { id } }),
    onSettled: refresh,
  });
}

export function useCreateRecoveryCodes() {
  const refresh = useRefreshed();
  return useMutation({ mutationFn: () => calls.createRecoveryCodes(), onSettled: refresh, gcTime: 0 });
}

/** Shows again who the user is, before a sensitive action: by the password or a code of the second factor. */
export const useProve = () =>
  useMutation({ mutationFn: (body: { password: string } | { code: string }) => calls.prove({ body }) });

/** The same with a passkey, which the browser asks its user for. */
export const useProveWithPasskey = () =>
  useMutation({
    mutationFn: async () => {
      const passkey = await signWithPasskey(await calls.startPasskeyProof());
      return calls.prove({ body: { passkey } });
    },
  });
