import { theme } from 'antd';
import { expect, test } from 'vitest';
import { variants } from '../variants/variants.ts';
import { themeOf } from './theme-of.ts';

test('each variant has its own colour and logo', () => {
  const both = [variants.default, variants.alternative];
  const colours = both.map(({ primary }) => theme.getDesignToken(themeOf(primary.light, 'light', false)));
  expect(colours.map(({ colorPrimary }) => colorPrimary)).toEqual(['#1f5fd6', '#0b7a4b']);
  expect(variants.default.mark).not.toEqual(variants.alternative.mark);
});
