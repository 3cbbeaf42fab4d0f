import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse } from '../../../testing/fake-service.ts';
import { renderPart } from '../../../testing/render-part.tsx';
import { fullSettings } from '../settings-fixture.ts';
import { useApply } from '../use-apply.ts';
import { SettingsActions } from './SettingsActions.tsx';

const exported = {
  format: 'kaptain-configuration',
  version: 1,
  exportedAt: '2026-03-04T05:06:07Z',
  settings: { system: { logLevel: 'debug', logPath: '' } },
};
const preview = {
  differences: [{ field: 'system.logLevel', before: 'info', after: 'debug' }],
  missingSecrets: [],
  withSecrets: false,
};

const onReload = () => undefined;
function Actions() {
  return <SettingsActions info={fullSettings()} apply={useApply(false, onReload)} onReload={onReload} />;
}

test('the service restarts with an imported configuration, whatever is pressed while it is stored', async () => {
  let store: (() => void) | undefined;
  const importAll = () =>
    new Promise<{ status: 'success' }>((resolve) => {
      store = () => resolve({ status: 'success' });
    });
  const restart = () => refuse('INTERNAL', 'Not now.');
  const answers = { settings: { previewImport: () => preview, importAll, restart } };
  const { user, service } = renderPart(<Actions />, { answers });
  await user.click(await screen.findByText('Import', { selector: 'button span' }));
  const dialog = within(await screen.findByRole('dialog'));
  const file = new File([JSON.stringify(exported)], 'exported.json');
  await user.upload(dialog.getByLabelText(/^Drop an exported configuration/), file);
  const compare = dialog.getByText('Compare');
  await waitFor(() => expect(compare.closest('button')?.disabled).toBe(false));
  await user.click(compare);
  await user.click(await dialog.findByText('Import and restart'));
  await waitFor(() => expect(store).toBeDefined());
  await user.click(dialog.getByLabelText('Leave out exported.json'));
  await user.keyboard('{Escape}');
  store?.();
  await waitFor(() => expect(service.callsOf('settings.restart')).toHaveLength(1));
});
