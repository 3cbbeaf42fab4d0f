import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { startFilledService } from './fixtures/filled-service.ts';
import { expect, logInThroughForm, openAs, test } from './fixtures/test.ts';

/** Collects the paths that a page asks for. A file is named once: the import finds in the cache what was fetched. */
function watch(page: Page) {
  const asked = new Set<string>();
  page.on('response', (response) => asked.add(new URL(response.url()).pathname));
  const code = () => [...asked].filter((path) => path.startsWith('/assets/'));
  return { asked, code };
}
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('the login screen needs at most 200 kB of script', async ({ page, service }) => {
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.goto(`${service.url}/login`);
  await page.getByLabel('Password', { exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(200_000);
});

test('a login and each screen after it need few responses', { tag: '@full' }, async ({ page, service }) => {
  const { asked, code } = watch(page);
  await logInThroughForm(page, service);
  await page.getByRole('link', { name: 'Budget notes' }).waitFor();
  // The style sheet, the font and six scripts: runtime, start, common, shared, the shell, the screen.
  expect(code().length).toBeLessThanOrEqual(8);
  expect(asked.size).toBeLessThanOrEqual(22);
  for (const entry of ['Users', 'Logs', 'Settings', 'Audit']) {
    asked.clear();
    await page.getByRole('menuitem', { name: entry, exact: true }).click();
    await heading(page, entry).waitFor();
    expect(code()).toEqual([expect.stringMatching(/Page-[\w-]+\.js$/)]);
  }
});

test('the code of the other screens is fetched while the page is idle, unless the user saves data', {
  tag: '@full',
}, async ({ browser, page, service }) => {
  const saving = watch(page);
  await openAs(page, service, '/about');
  const context = await browser.newContext();
  const idle = await context.newPage();
  const { code } = watch(idle);
  await openAs(idle, service, '/about');
  await expect.poll(() => code().some((path) => path.includes('StatusPage'))).toBe(true);
  // Dialogs are loaded when they are opened.
  expect(code().some((path) => path.includes('preview-qvd'))).toBe(false);
  await context.close();
  expect(saving.code().some((path) => path.includes('StatusPage'))).toBe(false);
});

test('a page opened while the service is away appears when it is back, without a reload', {
  tag: '@full',
}, async ({ page }) => {
  const own = await startFilledService();
  await openAs(page, own, '/data/kapsules');
  await page.getByRole('link', { name: 'Budget notes' }).waitFor();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  const isSamePage = () => page.evaluate(() => 'isSamePage' in window);
  const notice = page.getByRole('alert').filter({ hasText: 'Service unreachable' });

  await own.pause();
  await page.getByRole('menuitem', { name: 'Users' }).click();
  await expect(heading(page, 'Waiting for the service')).toBeVisible();
  await expect(notice).toBeVisible();
  // A page whose code is loaded opens during the outage.
  await page.getByRole('menuitem', { name: 'Kapsules' }).click();
  await expect(heading(page, 'Kapsules')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Users' }).click();
  await own.resume();
  await expect(heading(page, 'Users')).toBeVisible();
  await expect(page.getByRole('cell', { name: 'admin (you)' })).toBeVisible();
  await expect(notice).toBeHidden();
  expect(await isSamePage()).toBe(true);
  await own.stop();
});

test('the API reference is loaded on /docs only, asks no other host, and tries a call', {
  tag: '@full',
}, async ({ page, service }) => {
  const hosts = new Set<string>();
  const { asked } = watch(page);
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await openAs(page, service, '/about');
  expect([...asked].filter((path) => path.startsWith('/docs'))).toEqual([]);
  await page.goto(`${service.url}/docs#tag/about/GET/app/version`);
  await expect(heading(page, 'Kaptain')).toBeVisible();
  await page.getByRole('button', { name: /Test Request\s*.get .app.version/ }).click();
  await page.getByRole('button', { name: /Send\s*get request/i }).click();
  await expect(page.getByText('200 OK').first()).toBeVisible();
  expect(asked).toContain('/app/version');
  expect([...hosts]).toEqual([new URL(service.url).host]);
});
