import { Tab, viewport } from './fixtures/tab.ts';
import { expect, openAs, test } from './fixtures/test.ts';

test('a test finds the tab of its worker as good as new', async ({ browser, service, alternative }) => {
  const tab = new Tab(browser);
  const page = await tab.open();
  await openAs(page, service, '/about');
  await page.evaluate(() => localStorage.setItem('left', 'behind'));
  await page.evaluate(() => window.open('/about'));
  await page.route('**/app/version', (route) => route.abort());
  await page.context().grantPermissions(['clipboard-read']);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await tab.reset();

  expect(await tab.open()).toBe(page);
  expect(page.context().pages()).toEqual([page]);
  expect(page.viewportSize()).toEqual(viewport);
  await page.goto(`${service.url}/login`);
  await expect(page.getByText(/0\.1\.0/)).toBeVisible();
  const found = await page.evaluate(async () => ({
    stored: sessionStorage.length + localStorage.length,
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
    isStill: matchMedia('(prefers-reduced-motion: reduce)').matches,
    clipboard: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state,
  }));
  expect(found).toEqual({ stored: 0, isDark: false, isStill: true, clipboard: 'prompt' });

  // A page can not empty the storage of a second service, so it is replaced by another one without that storage.
  await page.evaluate(() => localStorage.setItem('left', 'behind'));
  await page.goto(`${alternative.url}/login`);
  await tab.reset();
  const other = await tab.open();
  expect(other).not.toBe(page);
  await other.goto(`${service.url}/login`);
  expect(await other.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0);
  await tab.close();
});
