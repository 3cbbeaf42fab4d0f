import { ApiError } from '@kaptain/contract/client';
import { dataApi } from '@kaptain/contract/data-api';
import { type Kapsule, type KapsuleChange, kapsules } from '@kaptain/contract/kapsules';
import type { Lock } from '@kaptain/contract/locks';
import type { CallInput } from '@kaptain/contract/route';
import type { Writers } from '@kaptain/contract/vocabulary';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { dropCreateRight } from '../shared/session-storage.ts';
import { ignoringAnswer } from './ignoring-answer.ts';
import { service } from './service.ts';

const calls = service({ kapsules }).kapsules;
const dataCalls = service({ dataApi }).dataApi;

const KAPSULES = ['kapsules'];
/** How often a list asks whether an unreachable data source is back; the service looks every five seconds. */
const AWAY_MS = 10_000;

/** Our service answers `fieldCount` instead of the fields; other implementations list the fields. */
export function useKapsules({ enabled = true } = {}) {
  return useQuery({
    queryKey: KAPSULES,
    queryFn: ({ signal }) => calls.list({ query: { withoutFields: 'true' } }, { signal }),
    enabled,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === 'unavailable') ? AWAY_MS : false,
  });
}

export const oneKapsule = (id: string) => ({
  queryKey: [...KAPSULES, id],
  queryFn: ({ signal }: { signal: AbortSignal }) => calls.get({ params: { id } }, { signal }),
});

/** One kapsule; until it is loaded, its entry in the list, if that has its fields. */
export function useKapsule(id: string) {
  const queries = useQueryClient();
  return useQuery({
    ...oneKapsule(id),
    placeholderData: () =>
      queries
        .getQueryData<Kapsule[]>(KAPSULES)
        ?.find(({ _id, fieldCount }) => _id === id && fieldCount === undefined),
  });
}

/** A kapsule of a list with its fields, which the lists of our own service leave out. */
export function useWithFields(kapsule: Kapsule) {
  const isCounted = kapsule.fieldCount !== undefined;
  const { data, error } = useQuery({ ...oneKapsule(kapsule._id), enabled: isCounted });
  return { whole: isCounted ? data : kapsule, error };
}

/** Loads a kapsule of a list with its fields, when a person asks for it. */
export function useLoadWithFields(): (kapsule: Kapsule) => Promise<Kapsule> {
  const queries = useQueryClient();
  return async (kapsule) =>
    kapsule.fieldCount === undefined ? kapsule : queries.fetchQuery(oneKapsule(kapsule._id));
}

function useRefreshed() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: KAPSULES });
}

/** Refetches also what depends on the rules of a kapsule. */
function useStructureRefreshed() {
  const queries = useQueryClient();
  const refresh = useRefreshed();
  return (_data: unknown, _error: unknown, { kapsule }: { kapsule: Kapsule }) =>
    Promise.all([refresh(), queries.invalidateQueries({ queryKey: ['granules', kapsule._id, 'misfits'] })]);
}

export function useRemoveKapsules() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (body: CallInput<typeof kapsules.remove>['body']) => ignoringAnswer(calls.remove({ body })),
    onSettled: refresh,
  });
}

export function useChangeOwner() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (body: { kapsuleIds: string[]; userId: string }) =>
      ignoringAnswer(calls.changeOwner({ body })),
    onSettled: refresh,
  });
}

/** The version that a change sends (If-Match), so that the service refuses it after another change. */
const ifMatch = ({ version }: Kapsule) => (version === undefined ? {} : { ifMatch: `"${version}"` });

/** The right to create was taken away after the login, which is where the stored user is from. */
function noteLostRight(error: unknown): void {
  if (error instanceof ApiError && (error.details as { right?: unknown } | undefined)?.right === 'isCreate')
    dropCreateRight();
}

export type NewKapsule = CallInput<typeof dataApi.createKapsule>['body'];

export function useCreateKapsule() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (body: NewKapsule) => dataCalls.createKapsule({ body }),
    onError: noteLostRight,
    onSettled: refresh,
  });
}

export function useUpdateKapsule() {
  const refreshStructure = useStructureRefreshed();
  return useMutation({
    mutationFn: ({ kapsule, change }: { kapsule: Kapsule; change: KapsuleChange }) =>
      calls.update({ params: { id: kapsule._id }, body: change }, ifMatch(kapsule)),
    onSettled: refreshStructure,
  });
}

export function useSetWriters() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: ({ id, writers }: { id: string; writers: Writers }) =>
      ignoringAnswer(calls.setWriters({ params: { id }, body: { writers } })),
    onSettled: refresh,
  });
}

/** Replaces all locks. */
export function useSetLocks() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: ({ kapsule, locks }: { kapsule: Kapsule; locks: Lock[] }) =>
      calls.setLocks({ params: { id: kapsule._id }, body: { locks } }, ifMatch(kapsule)),
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
  /** The text of another implementation of the service, which may send nothing else. */
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
    noteLostRight(error);
    const failure = error instanceof Error ? error.message : String(error);
    return files.map(({ name }) => ({ file: name, failure }));
  }
}

export function useImportKapsules() {
  const refresh = useRefreshed();
  return useMutation({ mutationFn: importKapsules, onSettled: refresh });
}

export function useReplaceKapsule() {
  const refreshStructure = useStructureRefreshed();
  return useMutation({
    mutationFn: ({ kapsule, file }: { kapsule: Kapsule; file: File }) =>
      // The user has confirmed the difference to this version; the service refuses any other.
      ignoringAnswer(calls.importOne({ params: { id: kapsule._id }, files: [file] }, ifMatch(kapsule))),
    onSettled: refreshStructure,
  });
}
