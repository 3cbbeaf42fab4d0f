import { startFilledService } from './fixtures/filled-service.ts';
import type { RunningService } from './fixtures/service.ts';
import { expectAccessible, expectNoSidewaysScroll, logInAs, test } from './fixtures/test.ts';

const screens = [
  '/data/kapsules',
  '/about',
  '/system/users',
  '/system/groups',
  '/system/audit',
  '/account',
  '/nowhere',
];

for (const variant of ['default', 'alternative'] as const) {
  test.describe(`variant ${variant}`, () => {
    let filled: RunningService;
    test.beforeAll(async () => {
      filled = await startFilledService({ env: { KAPTAIN_VARIANT: variant } });
    });
    test.afterAll(() => filled.stop());

    for (const colorScheme of ['light', 'dark'] as const)
      test(`every screen passes WCAG 2.2 AA and fits a phone, ${colorScheme}`, async ({ page }) => {
        test.slow();
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.goto(`${filled.url}/login`);
        await page.getByLabel('Username').waitFor();
        await expectAccessible(page);
        await logInAs(page, filled);
        for (const path of screens) {
          await page.setViewportSize({ width: 1280, height: 800 });
          await page.goto(filled.url + path);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await page.waitForLoadState('networkidle');
          await expectAccessible(page);
          await page.setViewportSize({ width: 390, height: 844 });
          await expectNoSidewaysScroll(page);
          await expectAccessible(page);
        }
      });
  });
}
