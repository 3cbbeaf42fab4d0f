import { expect, type Page } from '@playwright/test';
import { COMMENT, cell, type SheetStory, startSheetStory, test, type } from './fixtures/sheet-story.ts';
import { expectAccessible } from './fixtures/test.ts';

let story: SheetStory;

test.beforeAll(async () => {
  story = await startSheetStory('SAAS');
  const admin = await story.admin();
  const params = { id: story.kapsuleId };
  await admin.kapsules.setWriters({ params, body: { writers: 'EVERYONE' } });
  // The app of the sheet loads the comments of the kapsule.
  const app = story.sheets.simulator.apps.get('app-300');
  const schedule = { appId: 'app-300', cron: null };
  await admin.jobs.setSchedule({ params: { kapsuleId: story.kapsuleId }, body: schedule });
  const load = async () => {
    const { data } = await admin.dataApi.lookup({ params, body: { keys: ['K1', 'K2'] } });
    return new Map(data.map((granule) => [granule?.key ?? '', granule?.data as Record<string, string>]));
  };
  if (app) Object.assign(app, { load });
});
test.afterAll(() => story?.stop());

/** Begins a sign-in on the sheet and goes to the tenant in the window. */
async function goToTenant(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Sign in' }).click();
  const popup = await opened;
  await popup.getByRole('button', { name: 'Sign in with Qlik Cloud' }).click();
  await expect(popup.getByRole('heading', { name: 'Simulated tenant' })).toBeVisible();
  return popup;
}

test('a person signs in at the tenant, and writes under the name that the tenant knows', {
  tag: '@full',
}, async ({ context }) => {
  const { joined, simulator } = story.sheets;
  const page = await story.open(context, { query: { reload: 'partial' } });
  const addresses: string[] = [];
  context.on('request', (request) => addresses.push(request.url()));
  const popup = await goToTenant(page);
  const tokens: string[] = [];
  page.on('response', async (response) => {
    if (response.url().endsWith('/oauth/token') && response.request().method() === 'POST')
      tokens.push(((await response.json()) as { access_token: string }).access_token);
  });
  await popup.getByRole('link', { name: 'Approve' }).click();
  await expect(page.getByRole('status')).toHaveText('You write as auth0|zoe.');
  await expect.poll(() => popup.isClosed()).toBe(true);
  await expect(cell(page, 1, COMMENT)).toHaveText('Note 1');
  await type(page, 1, 'from the cloud');
  await expect.poll(async () => (await story.stored('K1'))?.user).toBe('auth0|zoe');
  // A copied cell is pasted elsewhere; the card has the whole text of a cell that is too narrow.
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const long = 'a long text\n'.repeat(30).trim();
  await page.evaluate((text) => navigator.clipboard.writeText(`"${text}"`), long);
  await cell(page, 3, COMMENT).click();
  await page.keyboard.press('Control+v');
  await page.keyboard.press('Control+c');
  await cell(page, 4, COMMENT).click();
  await page.keyboard.press('Control+v');
  await expect.poll(async () => (await story.stored('K4'))?.data).toEqual({ Comment: long });
  await expect(page.getByRole('tooltip')).toContainText(long);
  await cell(page, 4, 0).click();
  await page.keyboard.type('x');
  await expect(page.getByRole('status')).toContainText('This cell can not be edited.');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('status')).toHaveText('You write as auth0|zoe.');
  // The reload after the save brings the value into the data model.
  await expect
    .poll(() => simulator.apps.get('app-300')?.loaded?.get('K1'))
    .toEqual({ Comment: 'from the cloud' });
  expect(simulator.orders[0]).toEqual({ appId: 'app-300', partial: true });
  const other = await story.open(context, { origin: joined.origin });
  await expect(cell(other, 1, 2)).toHaveText('from the cloud');
  // The access token is in no address and in no storage of the browser.
  const [token = 'none'] = tokens;
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(addresses.filter((address) => address.includes(token))).toEqual([]);
  expect(JSON.stringify(await context.storageState())).not.toContain(token);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(token);
});

test('a refusal, a forged answer and a closed window give no token', { tag: '@full' }, async ({
  context,
}) => {
  const page = await story.open(context);
  const status = page.getByRole('status');
  const denied = await goToTenant(page);
  await denied.getByRole('link', { name: 'Deny' }).click();
  await expect(denied.getByRole('alert')).toHaveText('Qlik Cloud has not signed you in.');
  await expectAccessible(denied);
  // The way to an own account is left.
  await denied.getByRole('link', { name: 'Sign in with a Kaptain account' }).click();
  await expect(denied.getByLabel('Username')).toBeVisible();
  await denied.close();
  await expect(status).toContainText('The sign-in was not finished.');

  const { oauth } = story.sheets.simulator.tenant;
  oauth.hasForgedState = true;
  const forged = await goToTenant(page);
  await forged.getByRole('link', { name: 'Approve' }).click();
  await expect(forged.getByRole('alert')).toContainText('was not begun in this window');
  expect(new URL(forged.url()).search).toBe('');
  oauth.hasForgedState = false;
  await forged.close();

  // A tenant that does not allow the page gives it no token.
  oauth.origins.clear();
  const foreign = await goToTenant(page);
  await foreign.getByRole('link', { name: 'Approve' }).click();
  await expect(status).toContainText('Qlik Cloud has not given this page an access token.');
  oauth.origins.add(story.sheets.own.origin);

  // A person whom the tenant has blocked, and a token of another tenant, get none of ours.
  oauth.person = { id: 'u9', subject: 'auth0|ex', status: 'disabled' };
  const blocked = await goToTenant(page);
  await blocked.getByRole('link', { name: 'Approve' }).click();
  await expect(status).toContainText('Sign in to see and write comments.');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

test('on a page of the tenant the window goes there at once', { tag: '@full' }, async ({ context }) => {
  const page = await context.newPage();
  const origin = `https://localhost:${story.sheets.simulator.ports.tenant}`;
  await page.goto(origin);
  const query = { origin, kapsules: story.kapsuleId, challenge: 'c'.repeat(43), state: 's'.repeat(43) };
  const opened = context.waitForEvent('page');
  await page.evaluate(
    (address) => void window.open(address),
    `${story.service.url}/extension/sign-in?${new URLSearchParams(query)}`,
  );
  await expect((await opened).getByRole('heading', { name: 'Simulated tenant' })).toBeVisible();
});
