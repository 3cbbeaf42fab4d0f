import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { simulatedApp } from '../tools/platform-simulator/apps.ts';
import { type Simulator, startSimulator } from '../tools/platform-simulator/simulator.ts';
import { startFilledService } from './fixtures/filled-service.ts';
import { downloadScriptLog } from './fixtures/script-log.ts';
import type { RunningService } from './fixtures/service.ts';
import { expect, expectAccessible, inDialog, openAs, test } from './fixtures/test.ts';

const row = (page: Page, name: string) => page.locator('tbody tr[data-row-key]').filter({ hasText: name });

let folder: string;
let simulator: Simulator;
let own: RunningService;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kaptain-e2e-platform-'));
  simulator = await startSimulator({
    folder,
    apps: [
      simulatedApp('forecast-app'),
      simulatedApp('failing-app', { behaviour: 'fails', reloadMs: 60 }),
      simulatedApp('hanging-app', { behaviour: 'hangs', reloadMs: 60 }),
    ],
  });
  own = await startFilledService({
    settings: simulator.settings('CERT'),
    env: { KAPTAIN_SCRIPT_LOG_DIR: simulator.logFolder },
  });
});
test.afterAll(async () => {
  await own.stop();
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

/** Lets the next reload of the app stop in the middle; the returned function lets it go on. */
function holdReload(appId: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  simulator.apps.set(appId, simulatedApp(appId, { reloadMs: 60, held: promise }));
  return resolve;
}

/** Starts a reload through the dialog: of the app of a kapsule, or of an app chosen from the list. */
async function startReload(page: Page, appId: string, kapsule?: string) {
  await page.getByRole('button', { name: 'Start Reload' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start Reload' });
  const first = dialog.getByLabel('Kapsule', { exact: true });
  // The dialog sets the focus when it has opened, which would close a list opened before.
  await expect(first).toBeFocused();
  if (kapsule) {
    await first.click();
    await page.getByTitle(kapsule, { exact: true }).click();
    await expect(dialog.getByLabel('App ID')).toHaveValue(appId);
  } else {
    // The platform's apps are offered by their names.
    await dialog.getByLabel('App ID').fill(`simulated ${appId}`);
    await page.locator('.ant-select-item-option').getByText(`(${appId})`).click();
  }
  await dialog.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(dialog).toBeHidden();
}

test('an ADMIN reloads the app of a kapsule, sees its progress, script log and granules, and which reloads fail or hang', {
  tag: '@full',
}, async ({ page }) => {
  const admin = own.client((await own.session('admin')).accessToken);
  const forecast = (await admin.kapsules.list()).find(({ name }) => name === 'Forecast');
  const kapsuleId = forecast?._id ?? '';
  await admin.jobs.setSchedule({ params: { kapsuleId }, body: { appId: 'forecast-app', cron: null } });

  await openAs(page, own, '/system/logs');
  let goOn = holdReload('forecast-app');
  await startReload(page, 'forecast-app', 'Forecast');
  const reload = row(page, 'Reload Forecast');
  // Once the platform has reported progress, the status is focusable.
  await reload.locator('[tabindex="0"]', { hasText: 'Running' }).hover();
  await expect(page.getByRole('tooltip')).toContainText('Lines fetched');
  goOn();
  await expect(reload.getByText('Succeeded')).toBeVisible();
  expect(simulator.orders).toEqual([{ appId: 'forecast-app', partial: false }]);

  await page.getByRole('button', { name: 'Read the script log of Reload Forecast' }).click();
  const log = page.getByRole('dialog', { name: 'Reload Forecast' });
  await expect(log.getByRole('log')).toContainText('Execution finished.');
  await expect(log).toContainText('no errors');
  await page.keyboard.press('Escape');
  await expect(log).toBeHidden();

  const download = await downloadScriptLog(page, 'Reload Forecast');
  expect(download.url()).toContain('ticket=');
  expect(download.suggestedFilename()).toMatch(/^forecast-app\.\d+\.log$/);
  expect(await readFile(await download.path(), 'utf8')).toMatch(
    /SIMULATOR[^]*812 lines fetched into Comments[^]*Execution finished\./,
  );

  await page.getByRole('menuitem', { name: 'Kapsules' }).click();
  await page.getByRole('link', { name: 'Forecast', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Reloaded3Not Reloaded0');
  const hub = page.getByRole('region', { name: 'About this kapsule' });
  await expect(hub).toContainText('Succeeded');
  // Nothing of the last reload's time is cut on a phone.
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const cut = () =>
    hub
      .getByText('Last reload')
      .locator('..')
      .locator('time')
      .evaluate((time) => {
        const value = time.closest('dd > span');
        return value ? value.scrollWidth - value.clientWidth : Number.NaN;
      });
  // The browser rounds both widths.
  await expect.poll(cut).toBeLessThanOrEqual(1);
  if (size) await page.setViewportSize(size);
  await hub.getByRole('button', { name: 'Set the schedule' }).click();
  const schedule = page.getByRole('dialog', { name: 'Reloads of Forecast' });
  await schedule.getByLabel('When').click();
  await page.getByTitle('Every day', { exact: true }).click();
  await schedule.getByLabel('Time zone').fill('Berlin');
  await page.getByTitle('Europe/Berlin', { exact: true }).click();
  await expect(schedule.getByRole('list', { name: 'Next runs' }).getByRole('listitem')).toHaveCount(3);
  await expectAccessible(page, inDialog);
  await schedule.getByRole('button', { name: 'Save' }).click();
  await expect(hub).toContainText('every day at 05:30, Europe/Berlin');
  await expect(page.locator('tbody').getByText('Reloaded', { exact: true })).toHaveCount(3);

  // The second run has a known duration, so a progress bar is shown.
  await page.getByRole('menuitem', { name: 'Logs', exact: true }).click();
  goOn = holdReload('forecast-app');
  await page.getByRole('button', { name: 'Run Reload Forecast again' }).click();
  await expect(page.getByRole('progressbar', { name: 'Progress of Reload Forecast' })).toBeVisible();

  // Reloads of other apps do not wait for it.
  await startReload(page, 'failing-app');
  const failing = row(page, 'Reload failing-app');
  await expect(failing.getByText('Failed')).toBeVisible();
  await failing.getByText('Failed').hover();
  await expect(page.getByRole('tooltip').filter({ hasText: "Field 'CloseDate' not found" })).toBeVisible();
  await page.getByRole('button', { name: 'Read the script log of Reload failing-app' }).click();
  const failure = page.getByRole('dialog', { name: 'Reload failing-app' });
  await failure.getByRole('button', { name: 'First error' }).click();
  await expect(failure.locator('[data-is-first]')).toBeInViewport();
  await expectAccessible(page, inDialog);
  await page.keyboard.press('Escape');
  await expect(failure).toBeHidden();

  await startReload(page, 'hanging-app');
  const hanging = row(page, 'Reload hanging-app');
  await expect(hanging.getByText('Running')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel Reload hanging-app' }).click();
  await page
    .getByRole('dialog', { name: 'Are you sure to cancel Reload hanging-app?' })
    .getByRole('button', { name: 'Cancel the reload' })
    .click();
  await expect(hanging.getByText('Cancelled')).toBeVisible();
  await hanging.getByText('Cancelled').hover();
  await expect(page.getByRole('tooltip').filter({ hasText: 'Cancelled by admin.' })).toBeVisible();
  goOn();
  await expect(reload.getByText('Succeeded')).toHaveCount(2);
});
