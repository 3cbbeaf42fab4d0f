import type { CallInput } from '@kaptain/contract/route';
import { settings } from '@kaptain/contract/settings';
import type { SettingsState } from '@kaptain/contract/settings/generations';
import type { SettingsInfo } from '@kaptain/contract/settings/settings';
import { DataSourceType } from '@kaptain/contract/vocabulary';
import { useIsMutating, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useScreenUser } from '../shared/session-storage.ts';
import { isUnknownCall } from './is-unknown-call.ts';
import { service } from './service.ts';

const calls = service({ settings }).settings;

interface ApiKeysSwitch {
  isOn: boolean;
  /** The service has not answered yet. */
  isPending: boolean;
}

/** Whether API keys are on: only an ADMIN asks, and while unknown they count as off. */
export function useApiKeysSwitch(): ApiKeysSwitch {
  const isAdmin = useScreenUser()?.role === 'ADMIN';
  const { data, isLoading } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => calls.get({}, { signal }),
    enabled: isAdmin,
  });
  return { isOn: isAdmin && data?.settings.apiKey === true, isPending: isLoading };
}

/** The data sources that are set up; undefined for a USER, and while unknown. */
export function useConfiguredSources(): DataSourceType[] | undefined {
  const isAdmin = useScreenUser()?.role === 'ADMIN';
  const { data } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => calls.get({}, { signal }),
    enabled: isAdmin,
  });
  return data && DataSourceType.options.filter((type) => data[type] !== undefined);
}

/** The settings of a form: loaded at each visit, and never replaced while the user types. */
export function useSettings() {
  // An answer for each opening of the page, which stays in the cache while the login hides the page.
  const [openedAt] = useState(() => performance.now());
  return useQuery({
    queryKey: ['settings', 'form', openedAt],
    queryFn: ({ signal }) => calls.get({}, { signal }),
    // Not even after an outage, which makes all other answers stale.
    staleTime: 'static',
  });
}

export type SettingsBody = CallInput<typeof settings.update>['body'];
type ConnectionTest = CallInput<typeof settings.testConnection>['body'];
export type ConnectionTarget = ConnectionTest['target'];

/** The version that a change sends (If-Match), so that the service refuses it after another change. */
const ifMatch = ({ generation }: Pick<SettingsInfo, 'generation'>) =>
  generation === undefined ? {} : { ifMatch: `"${generation}"` };

/** Spec 7: the response is {status}, success expected. */
async function expectSuccess(call: Promise<{ status: string }>): Promise<void> {
  const { status } = await call;
  if (status !== 'success') throw new Error(`The service answered: ${status}`);
}

export function useSaveSettings(base: SettingsInfo) {
  return useMutation({
    mutationFn: (body: SettingsBody) => expectSuccess(calls.update({ body }, ifMatch(base))),
  });
}

/** Spec 7: success means that the file exists. */
export function useHasFile(fileName: string) {
  return useQuery({
    queryKey: ['settings', 'file', fileName],
    queryFn: async ({ signal }) =>
      calls.hasFile({ params: { fileName } }, { signal }).then(
        ({ exists }) => exists !== false,
        () => false,
      ),
    enabled: fileName !== '',
    staleTime: 0,
  });
}

const uploads = {
  'server.pfx': calls.uploadServerPfx,
  'server.pem': calls.uploadServerPem,
  'server_key.pem': calls.uploadServerKey,
} as const;
export type ServerFile = keyof typeof uploads;

const uploading = ['settings', 'upload'];

/** Uploads a certificate file; resolves to its path on the service. */
export function useUploadFile(kind: ServerFile | 'platform') {
  return useMutation({
    mutationKey: uploading,
    mutationFn: (file: File) =>
      kind === 'platform' ? calls.importFile({ files: [file] }) : uploads[kind]({ files: [file] }),
  });
}

/** Whether a certificate file is being uploaded. */
export const useIsUploading = () => useIsMutating({ mutationKey: uploading }) > 0;

export function useTestConnection() {
  return useMutation({ mutationFn: (body: ConnectionTest) => calls.testConnection({ body }) });
}

export function useTestSignIn() {
  return useMutation({
    mutationFn: (settings: Record<string, unknown>) => calls.testSignIn({ body: { settings } }),
  });
}

/** Null when the service does not have the call: features beyond SPEC 7 are hidden then. */
const unlessUnknown = <T>(call: Promise<T>): Promise<T | null> =>
  call.catch((error: unknown) => {
    if (isUnknownCall(error)) return null;
    throw error;
  });

/** Whether the next answer may differ: instances restart, or run with other settings than the saved ones. */
const isInMotion = ({ generation, lastApply, instances = [] }: SettingsState): boolean =>
  lastApply.status === 'waiting' ||
  instances.some((each) => each.isLive && (each.isRestartDue === true || each.generation !== generation));

/** The result of the last restart, and the license. */
export function useSettingsState() {
  return useQuery({
    queryKey: ['settings', 'state'],
    queryFn: ({ signal }) => unlessUnknown(calls.state({}, { signal })),
    staleTime: 0,
    // The result of a restart is known only after some seconds.
    refetchInterval: ({ state }) => (state.data && isInMotion(state.data) ? 3000 : false),
  });
}

export function useGenerations({ enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: ['settings', 'history'],
    queryFn: ({ signal }) => calls.history({}, { signal }),
    enabled,
    staleTime: 0,
  });
}

export function useGenerationDifference(generation: number) {
  return useQuery({
    queryKey: ['settings', 'history', generation],
    queryFn: ({ signal }) => calls.difference({ params: { generation } }, { signal }),
    staleTime: 0,
  });
}

export function useReturnTo(base: SettingsInfo) {
  return useMutation({
    mutationFn: (generation: number) =>
      expectSuccess(calls.returnTo({ params: { generation } }, ifMatch(base))),
  });
}

export function useExportSettings() {
  return useMutation({
    mutationFn: (passphrase: string) => calls.exportAll({ body: passphrase === '' ? {} : { passphrase } }),
  });
}

export type Transfer = CallInput<typeof settings.previewImport>['body'];

export function usePreviewImport() {
  return useMutation({ mutationFn: (body: Transfer) => calls.previewImport({ body }) });
}

export function useImportSettings(base: SettingsInfo) {
  return useMutation({
    mutationFn: (body: Transfer) => expectSuccess(calls.importAll({ body }, ifMatch(base))),
  });
}
