import type { Page } from 'playwright-core';

export interface Picture {
  name: string;
  path: string;
  /** Brings the page into the state to show. */
  prepare?: (page: Page) => Promise<void>;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** Of a service without an administrator. */
export const ofNewService: readonly Picture[] = [{ name: 'first-visit', path: '/login' }];

const openKapsule = async (page: Page) => {
  await page.locator('tbody a').first().click();
  await button(page, 'Use in Qlik').waitFor();
  await page.locator('tbody tr').nth(3).waitFor();
};

/** Of the demo data, as an ADMIN. */
export const ofDemo: readonly Picture[] = [
  { name: 'kapsules', path: '/data/kapsules' },
  { name: 'granules', path: '/data/kapsules', prepare: openKapsule },
  {
    name: 'load-script',
    path: '/data/kapsules',
    async prepare(page) {
      await openKapsule(page);
      await button(page, 'Use in Qlik').click();
      await page.getByText('LIB CONNECT TO').first().waitFor();
    },
  },
  { name: 'logs', path: '/system/logs' },
  { name: 'users', path: '/system/users' },
  { name: 'audit', path: '/system/audit' },
  { name: 'status', path: '/system/status' },
  {
    name: 'https',
    path: '/data/setting',
    async prepare(page) {
      await page.getByRole('switch', { name: 'HTTPS' }).click();
      await page.getByText('Server Key PEM').first().waitFor();
    },
  },
  {
    name: 'platform-connection',
    path: '/data/setting#platform-connection',
    async prepare(page) {
      await page.getByText('Certificate', { exact: true }).first().click();
      await page.locator('#platform-connection').scrollIntoViewIfNeeded();
    },
  },
];
