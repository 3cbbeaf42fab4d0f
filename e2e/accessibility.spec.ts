import { startFilledService } from './fixtures/filled-service.ts';
import type { RunningService } from './fixtures/service.ts';
import { expectAccessible, expectContrast, expectNoSidewaysScroll, logInAs, test } from './fixtures/test.ts';

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

/** The forms that open over a screen. */
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
      // Only colours differ between the variants and schemes: the other rules are looked at once.
      const isFirst = variant === 'default' && colorScheme === 'light';
      const look = isFirst ? expectAccessible : expectContrast;
      const promise = isFirst ? 'passes WCAG 2.2 AA and fits a phone' : 'has enough contrast';

      test(`every screen ${promise}, ${colorScheme}`, async ({ page }) => {
        test.slow();
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.goto(`${filled.url}/login`);
        await page.getByLabel('Username').waitFor();
        await look(page);
        await logInAs(page, filled);
        for (const path of screens) {
          await page.setViewportSize({ width: 1280, height: 800 });
          await page.goto(filled.url + path);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await page.waitForLoadState('networkidle');
          await look(page);
          if (!isFirst) continue;
          await page.setViewportSize({ width: 390, height: 844 });
          await expectNoSidewaysScroll(page);
          await look(page);
        }
        for (const [path, button] of dialogs) {
          await page.goto(filled.url + path);
          await page.getByRole('button', { name: button }).click();
          await page.getByRole('dialog').getByRole('textbox').first().waitFor();
          await expectNoSidewaysScroll(page);
          await look(page);
        }
      });
    }
  });
}
