import type { SettingsState } from '@kaptain/contract/settings/generations';
import type { SettingsInfo } from '@kaptain/contract/settings/settings';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { useWords } from '../../variants/use-variant.ts';
import { ApplyBanner } from './ApplyBanner.tsx';
import { SettingsActions } from './extras/SettingsActions.tsx';
import { RestartOverlay } from './RestartOverlay.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { useApply } from './use-apply.ts';

interface Props {
  info: SettingsInfo;
  state: SettingsState | null;
  onReload: () => void;
}

export function LoadedSettings({ info, state, onReload }: Props) {
  const { service } = useWords();
  // Saved settings may wait for a restart: what they say is not what the service does.
  const apply = useApply(state?.isHttps ?? info.settings['https'] === true, onReload);
  return (
    <>
      <PageHeader
        title="Settings"
        description={`How ${service} runs, and what it is connected to.`}
        actions={state && <SettingsActions info={info} apply={apply} onReload={onReload} />}
      />
      {state && <ApplyBanner state={state} info={info} apply={apply} />}
      <SettingsForm info={info} state={state} apply={apply} onReload={onReload} />
      <RestartOverlay {...apply} />
    </>
  );
}
