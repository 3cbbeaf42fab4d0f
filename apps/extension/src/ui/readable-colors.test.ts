import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Rgba, readableColors } from './readable-colors.ts';

/** The six digits of CSS, and `transparent`. */
function parse(color: string): Rgba | undefined {
  if (color === 'transparent') return [0, 0, 0, 0];
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue, 1];
}
const none = { text: undefined, background: undefined, accent: undefined, behind: undefined };
const colors = (theme: object) => readableColors({ ...none, ...theme }, parse);

it('keeps the colours of a theme that can be read', () => {
  const theme = { text: '#f0f0f0', background: '#202020', accent: '#26a0a7' };
  expect(colors(theme)).toEqual({ ...theme, soft: '80%', isDark: true });
  expect(colors({})).toMatchObject({ text: '#404040', background: '#ffffff', isDark: false });
});

it('puts light text on what is behind the object, and on a dark surface where that is light', () => {
  const dark = { text: '#fbfbfb', background: 'transparent' };
  expect(colors({ ...dark, behind: '#182838' })).toMatchObject({ text: '#fbfbfb', background: '#182838' });
  expect(colors({ ...dark, behind: '#ffffff' })).toMatchObject({ text: '#fbfbfb', background: '#333333' });
  expect(colors(dark)).toMatchObject({ text: '#fbfbfb', background: '#333333' });
});

it('replaces a text that can not be read on the background of the theme, and a pale accent', () => {
  expect(colors({ text: '#ffffff', background: '#fafafa', accent: '#ffee99' })).toMatchObject({
    text: '#404040',
    background: '#fafafa',
    accent: '#005fa3',
  });
});

it('chooses text that can be read for every theme', () => {
  const color = fc
    .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
    .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`);
  const share = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = (hex: string) => {
    const [r = 0, g = 0, b = 0] = parse(hex)?.map((part) => share(part / 255)) ?? [];
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const contrast = (one: string, other: string) =>
    Math.max(light(one), light(other)) / Math.min(light(one), light(other));
  const given = fc.option(color, { nil: 'transparent' });
  fc.assert(
    fc.property(given, given, given, (text, background, behind) => {
      const chosen = colors({ text, background, behind });
      expect(contrast(chosen.text, chosen.background)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});
