import { type Kapsule, kapsules } from '@kaptain/contract/kapsules';
import type { Writers } from '@kaptain/contract/vocabulary';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isDone } from './is-done.ts';
import { service } from './service.ts';

const calls = service({ kapsules }).kapsules;

const KAPSULES = ['kapsules'];

export function useKapsules({ enabled = true } = {}) {
  return useQuery({
    queryKey: KAPSULES,
    queryFn: ({ signal }) => calls.list({}, { signal }),
    enabled,
  });
}

/** One kapsule; until it is loaded, its entry in the list. */
export function useKapsule(id: string) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: [...KAPSULES, id],
    queryFn: ({ signal }) => calls.get({ params: { id } }, { signal }),
    placeholderData: () => queries.getQueryData<Kapsule[]>(KAPSULES)?.find(({ _id }) => _id === id),
  });
}

function useRefreshed() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: KAPSULES });
}

export function useRemoveKapsules() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (body: { kapsuleIds: string[]; deleteTable: boolean }) => isDone(calls.remove({ body })),
    onSettled: refresh,
  });
}

export function useChangeOwner() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (body: { kapsuleIds: string[]; userId: string }) => isDone(calls.changeOwner({ body })),
    onSettled: refresh,
  });
}

export function useSetWriters() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: ({ id, writers }: { id: string; writers: Writers }) =>
      isDone(calls.setWriters({ params: { id }, body: { writers } })),
    onSettled: refresh,
  });
}

/** The result of importing one .kap file. */
export type KapResult =
  | {
      file: string;
      /** The reason of a failure; absent after a success. */
      failure?: string;
      kapsuleId?: string | undefined;
    }
  /** The text of another service, which may send nothing else. */
  | { line: string };

/** Spec 8: one result per file, also when the call as a whole failed. */
export async function importKapsules(files: readonly File[]): Promise<KapResult[]> {
  try {
    const results = await calls.importMany({ files });
    return results.map(({ file, status, message, kapsuleId }) => {
      if (file === undefined || status === undefined) return { line: message };
      return status === 'success' ? { file, kapsuleId } : { file, failure: message };
    });
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return files.map(({ name }) => ({ file: name, failure }));
  }
}

export function useImportKapsules() {
  const refresh = useRefreshed();
  return useMutation({ mutationFn: importKapsules, onSettled: refresh });
}

export function useReplaceKapsule() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: ({ kapsule: { _id: id, version }, file }: { kapsule: Kapsule; file: File }) =>
      // The user has confirmed the difference to this version; the service refuses any other.
      isDone(
        calls.importOne(
          { params: { id }, files: [file] },
          version === undefined ? {} : { ifMatch: `"${version}"` },
        ),
      ),
    onSettled: refresh,
  });
}
