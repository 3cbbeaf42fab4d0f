import { useSettings, useSettingsState } from '../../api/settings.ts';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { useWords } from '../../variants/use-variant.ts';
import { LoadedSettings } from './LoadedSettings.tsx';
import { SettingsLoading } from './SettingsLoading.tsx';

export function SettingsPage() {
  const { service } = useWords();
  const settings = useSettings();
  const state = useSettingsState();

  if (settings.data && !state.isPending)
    return (
      <LoadedSettings
        // The key mounts a new form when other settings are loaded.
        key={settings.dataUpdatedAt}
        info={settings.data}
        state={state.data ?? null}
        onReload={() => void Promise.all([settings.refetch(), state.refetch()])}
      />
    );
  return (
    <>
      <PageHeader title="Settings" description={`How ${service} runs, and what it is connected to.`} />
      <SettingsLoading error={settings.error} onRetry={() => void settings.refetch()} />
    </>
  );
}
