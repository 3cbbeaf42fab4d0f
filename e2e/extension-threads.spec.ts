import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { PASSWORD } from './fixtures/service.ts';
import {
  COMMENT,
  cell,
  inSheet,
  logInTo,
  type SheetStory,
  signIn,
  startSheetStory,
  test,
} from './fixtures/sheet-story.ts';
import { expectAccessible, expectContrast } from './fixtures/test.ts';

const TALK = 3;
let story: SheetStory;
let kapsule = '';
let contexts: BrowserContext[] = [];

/** Two people who may write into a kapsule with a thread; a third one may only read it. */
test.beforeAll(async () => {
  story = await startSheetStory();
  const admin = await story.admin();
  const { _id } = await admin.dataApi.createKapsule({
    body: {
      name: 'Talks',
      keyField: 'Order',
      fields: [
        { name: 'Comment', type: 'text' },
        { name: 'Talk', type: 'thread' },
      ],
    },
  });
  kapsule = _id;
  for (const username of ['anna', 'bob', 'rita'])
    await admin.users.create({
      body: {
        role: 'USER',
        groups: [],
        isCreate: false,
        username,
        qlikId: `CORP\\${username}`,
        password: PASSWORD,
      },
    });
  const { data: users } = await admin.users.list();
  const named = (names: string[]) =>
    users
      .filter(({ username }) => names.includes(username))
      .map(({ userId, username }) => ({ userid: userId, username }));
  const kapsules = [{ kapsulecode: kapsule, kapsulename: 'Talks' }];
  await admin.groups.create({
    body: { groupname: 'writers', authority: ['READ', 'DELETE'], kapsules, users: named(['anna', 'bob']) },
  });
  await admin.groups.create({
    body: { groupname: 'readers', authority: ['READ'], kapsules, users: named(['rita']) },
  });
});
test.afterEach(async () => {
  for (const context of contexts) await context.close();
  contexts = [];
});
test.afterAll(() => story?.stop());

/** The sheet of one person, in a browser of their own. */
async function sheetOf(
  browser: Browser,
  username: string,
  query = {},
  status = `You write as CORP\\${username}.`,
): Promise<Page> {
  const context = await browser.newContext();
  contexts.push(context);
  const page = await story.open(context, { origin: story.sheets.talk.origin, query: { kapsule, ...query } });
  await signIn(page, PASSWORD, username);
  await expect(page.getByRole('status')).toContainText(status);
  return page;
}

async function openThread(page: Page, row: number): Promise<void> {
  await cell(page, row, TALK).click();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Write a comment' })).toBeFocused();
}

const comments = (page: Page) => page.getByRole('dialog').getByRole('listitem');
async function write(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

test('two people talk about a row: both see both at once, mention, and edit only their own', async ({
  browser,
}) => {
  const [anna, bob] = [await sheetOf(browser, 'anna'), await sheetOf(browser, 'bob')];
  await openThread(anna, 1);
  await openThread(bob, 1);
  await Promise.all([write(anna, 'Who calls them?'), write(bob, '<img src=x onerror=alert(1)>')]);
  for (const page of [anna, bob]) {
    await expect(comments(page)).toHaveCount(2);
    await expect(comments(page).filter({ hasText: 'CORP\\anna' })).toContainText('Who calls them?');
    await expect(comments(page).filter({ hasText: 'CORP\\bob' })).toContainText('<img src=x');
    await expect(page.getByRole('dialog').locator('img')).toHaveCount(0);
  }
  // An @ offers people who may read the kapsule.
  await bob.keyboard.type('Ask @ri');
  await expect(bob.getByRole('option')).toHaveText(['CORP\\rita']);
  await bob.keyboard.press('Enter');
  await write(bob, 'please');
  await expect(comments(anna).nth(2).locator('mark')).toHaveText('@CORP\\rita');
  // Enter sends no comment while the name after its @ is that of no person.
  await bob.keyboard.type('Ask @jon');
  await bob.keyboard.press('Enter');
  await expect(bob.getByRole('option')).toHaveText(['No one with access is called jon.']);
  await bob.keyboard.press('Enter');
  const written = bob.getByRole('textbox', { name: 'Write a comment' });
  await expect(written).toHaveValue('Ask @jon');
  await written.fill('');
  await expect(cell(anna, 1, TALK)).toHaveText('3 comments · CORP\\bob: Ask @CORP\\rita please');
  // Each edits and deletes only what is theirs.
  const [annas, bobs] = [comments(anna).filter({ hasText: 'Who calls' }), comments(anna).nth(2)];
  await expect(bobs.getByRole('button')).toHaveCount(0);
  await annas.getByRole('button', { name: 'Edit' }).click();
  await anna.keyboard.press('ControlOrMeta+a');
  await write(anna, 'I call them.');
  await expect(comments(bob).filter({ hasText: 'I call them.' })).toContainText('edited');
  const markup = comments(bob).filter({ hasText: '<img' });
  await markup.getByRole('button', { name: 'Delete' }).click();
  await markup.getByRole('button', { name: 'Really delete' }).click();
  await expect(comments(anna)).toHaveCount(2);
  // The comments are in the row, beside what others save there.
  await bob.keyboard.press('Escape');
  await expect(bob.getByRole('dialog')).toBeHidden();
  await expect(bob.getByRole('grid')).toBeFocused();
  await cell(bob, 1, 2).click();
  await write(bob, 'a value');
  await expect(cell(bob, 1, 2)).toHaveAttribute('data-state', 'saved');
  await expect(cell(bob, 1, TALK)).toContainText('2 comments');
  await expectAccessible(anna, inSheet);
  await anna.setViewportSize({ width: 390, height: 700 });
  await expectAccessible(anna, inSheet);
  expect(await anna.title()).toBe('Sheet');
});

test('a comment waits while the service is away; a forged request changes nothing', { tag: '@full' }, async ({
  browser,
}) => {
  const page = await sheetOf(browser, 'anna', { theme: 'dark' });
  const authorized = page.waitForRequest((request) => request.url().includes('/granules/thread'));
  await openThread(page, 2);
  await write(page, 'Hello');
  const token = (await (await authorized).allHeaders())['authorization'] ?? '';
  await expect(comments(page)).toHaveAttribute('data-state', 'saved');
  await page.context().setOffline(true);
  await write(page, 'without a network');
  await expect(comments(page).nth(1)).toHaveAttribute('data-state', 'waiting');
  await expect(page.getByRole('status')).toContainText('Comments not sent yet: 1.');
  await expectContrast(page, inSheet);
  // The begun text stays when the panel is closed.
  await page.keyboard.type('begun');
  await page.keyboard.press('Escape');
  await page.context().setOffline(false);
  await expect(cell(page, 2, TALK)).toHaveText('2 comments · CORP\\anna: without a network');
  await expect(cell(page, 2, TALK)).toHaveAttribute('data-state', 'saved');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Write a comment' })).toHaveValue('begun');
  // With the token of the page: as another author, and in the kapsule of another token.
  const forge = (id: string, body: object) =>
    page.request.post(`${story.service.url}/api/kapsule/${id}/granules/thread`, {
      headers: { authorization: token, 'x-kaptain-user': 'CORP\\boss' },
      data: { key: 'K2', field: 'Talk', id: 'forged00', text: 'x', ...body },
    });
  expect((await forge(kapsule, { author: 'CORP\\boss', at: '1999-01-01T00:00:00Z' })).status()).toBe(200);
  expect((await forge(story.kapsuleId, {})).status()).toBe(403);
  expect((await forge(kapsule, { id: 'forged01', text: 'x'.repeat(2001) })).status()).toBe(400);
  await expect(comments(page)).toHaveCount(3);
  await expect(page.getByRole('dialog')).not.toContainText('CORP\\boss');
  // A person who may only read sees the thread, and nothing to write with.
  const rita = await sheetOf(
    browser,
    'rita',
    {},
    'You are signed in as CORP\\rita and may read here, not write.',
  );
  await cell(rita, 2, TALK).click();
  await rita.keyboard.press('Enter');
  await expect(comments(rita)).toHaveCount(3);
  await expect(rita.getByRole('dialog').getByRole('textbox')).toHaveCount(0);
  await expect(rita.getByRole('dialog').getByRole('button', { name: 'Delete' })).toHaveCount(0);
});

test('on a touch screen a second tap edits, and a finger scrolls', { tag: '@full' }, async ({ browser }) => {
  const context = await browser.newContext({
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 700 },
  });
  contexts.push(context);
  const page = await story.open(context, { query: { theme: 'dark' } });
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Sign in' }).tap();
  await logInTo(await opened);
  await expect(cell(page, 2, COMMENT)).toHaveText('Note 2');
  await cell(page, 2, COMMENT).tap();
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await cell(page, 2, COMMENT).tap();
  // The editor alone is in the cell: a long text of it would show beside the editor.
  await expect(cell(page, 2, COMMENT)).toHaveText('');
  await page.getByRole('textbox', { name: 'Comment' }).fill('by finger');
  await cell(page, 4, COMMENT).tap();
  await expect(cell(page, 2, COMMENT)).toHaveText('by finger');
  await expect.poll(async () => (await story.stored('K2'))?.data).toMatchObject({ Comment: 'by finger' });
  await expectAccessible(page, inSheet);
  const finger = await context.newCDPSession(page);
  const touch = (kind: 'touchStart' | 'touchMove' | 'touchEnd', ...places: number[]) =>
    finger.send('Input.dispatchTouchEvent', {
      type: kind,
      touchPoints: places.map((y) => ({ x: 100, y })),
    });
  const swipe = async () => {
    await touch('touchStart', 650);
    for (let y = 600; y > 100; y -= 50) await touch('touchMove', y);
    await touch('touchEnd');
  };
  // Row elements that were used again have the keys of their rows, in the order of the table.
  const isInOrder = () =>
    page.evaluate(() => {
      const table = document.querySelector('.kaptain')?.shadowRoot;
      const rows = [...(table?.querySelectorAll('.body [role=row]') ?? [])];
      const first = Number(rows[0]?.ariaRowIndex) - 2;
      return first > 10 && rows.every((row, index) => row.firstChild?.textContent === `K${first + index}`);
    });
  // A busy machine drops movements of a finger.
  await expect(async () => {
    await swipe();
    await expect.poll(isInOrder, { timeout: 2_000 }).toBe(true);
  }).toPass({ timeout: 60_000 });
});
