import type { RuledField } from '@kaptain/contract/field-rules';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderPart } from '../../testing/render-part.tsx';
import { rulesText } from './rules-text.ts';
import { ShownValue } from './ShownValue.tsx';
import { shownText } from './shown-text.ts';

const field = (rest: Partial<RuledField> & Pick<RuledField, 'type'>): RuledField => ({ name: 'f', ...rest });
const sum = field({ type: 'number', decimals: 2, unit: 'EUR', thousands: true });

beforeEach(() => vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-DE'));
afterEach(() => vi.restoreAllMocks());

test.each<[RuledField, unknown, string]>([
  [sum, 1234567.5, '1.234.567,50\u00a0EUR'],
  // More decimals than the rule has are no reason to hide some.
  [sum, 0.125, '0,125\u00a0EUR'],
  [field({ type: 'number' }), 0.1, '0,1'],
  [field({ type: 'number' }), 1e21, '1000000000000000000000'],
  [sum, 'NaN!', 'NaN!'],
  [field({ type: 'date' }), '2026-12-31', '2026-12-31'],
  [field({ type: 'boolean' }), true, 'Yes'],
  [field({ type: 'list' }), ['a', 'b'], 'a; b'],
  [sum, null, ''],
])('%j shows %j as %j', (ruled, value, text) => {
  expect(shownText(ruled, value)).toBe(text);
});

test('only an address of the web or of a mail box becomes a link', () => {
  const link = field({ type: 'link' });
  const values = ['https://example.com/a', 'mailto:a@example.com', 'javascript:alert(1)', 'data:text/html,x'];
  renderPart(values.map((value) => <ShownValue key={value} field={link} value={value} />));
  const links = screen.getAllByRole('link');
  expect(links.map((one) => one.getAttribute('href'))).toEqual(values.slice(0, 2));
  expect(links.every((one) => one.getAttribute('rel')?.includes('noopener'))).toBe(true);
});

test('a rating above its stars, or of very many, is told as a number', () => {
  renderPart(
    <>
      <ShownValue field={field({ type: 'rating' })} value={3} />
      <ShownValue field={field({ type: 'rating', max: 100 })} value={70} />
    </>,
  );
  expect(screen.getByRole('img', { name: '3 of 5 stars' }).textContent).toBe('★★★★★');
  expect(screen.getByText(/70 of 100/)).toBeTruthy();
});

test('the rules of a field are told in a few words each', () => {
  expect(rulesText({ ...sum, required: true, min: 1000, default: 2000 })).toEqual([
    'required',
    'at least 1.000,00\u00a0EUR',
    '2 decimals',
    'in EUR',
    'default 2.000,00\u00a0EUR',
  ]);
  const choices = ['a', 'b', 'c', 'd', 'e', 'f'].map((value) => ({ value }));
  expect(rulesText(field({ type: 'choice', choices, writeOnce: true }))).toEqual([
    'write once',
    'a, b, c, d, e and 1 more',
  ]);
  expect(rulesText(field({ type: 'text', min: 2, max: 9, pattern: '[a-z]+' }))).toEqual([
    '2 to 9 characters',
    'pattern [a-z]+',
  ]);
});
