import { startFilledService } from './fixtures/filled-service.ts';
import type { RunningService } from './fixtures/service.ts';
import {
  expectAccessible,
  expectContrast,
  expectNoHorizontalScroll,
  logInAs,
  test,
} from './fixtures/test.ts';

const screens = [
  '/data/kapsules',
  '/about',
  '/system/users',
  '/system/groups',
  '/data/apikey',
  '/data/setting',
  '/system/audit',
  '/account',
  '/nowhere',
];

/** The dialogs of the screens. */
const dialogs = [
  ['/system/users', 'Create User'],
  ['/system/groups', 'Create Group'],
  ['/data/apikey', 'Create Api Key'],
] as const;

for (const variant of ['default', 'alternative'] as const) {
  test.describe(`variant ${variant}`, () => {
    let filled: RunningService;
    test.beforeAll(async () => {
      filled = await startFilledService({
        env: { KAPTAIN_VARIANT: variant },
        settings: { settings: { apiKey: true } },
      });
    });
    test.afterAll(() => filled?.stop());

    for (const colorScheme of ['light', 'dark'] as const) {
      // Only colours differ between variants and schemes, so the other rules are checked once.
      const isFirst = variant === 'default' && colorScheme === 'light';
      const check = isFirst ? expectAccessible : expectContrast;
      const result = isFirst ? 'passes WCAG 2.2 AA and fits a phone' : 'has enough contrast';

      test(`every screen ${result}, ${colorScheme}`, async ({ page }) => {
        test.slow();
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.goto(`${filled.url}/login`);
        await page.getByLabel('Username').waitFor();
        await check(page);
        await logInAs(page, filled);
        for (const path of screens) {
          await page.setViewportSize({ width: 1280, height: 800 });
          await page.goto(filled.url + path);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await page.waitForLoadState('networkidle');
          await check(page);
          if (!isFirst) continue;
          await page.setViewportSize({ width: 390, height: 844 });
          await expectNoHorizontalScroll(page);
          await check(page);
        }
        for (const [path, button] of dialogs) {
          await page.goto(filled.url + path);
          await page.getByRole('button', { name: button }).click();
          await page.getByRole('dialog').getByRole('textbox').first().waitFor();
          await expectNoHorizontalScroll(page);
          await check(page);
        }
      });
    }
  });
}
