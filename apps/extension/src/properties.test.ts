import { describe, expect, it } from 'vitest';
import { setupOf } from './properties.ts';

const given = {
  serviceUrl: ' https://kaptain.example.com:8000/ ',
  kapsuleId: 'k1',
  keyDimension: 1,
  fields: [
    { name: 'Comment', type: 'text' },
    { name: 'Comment' },
    { name: ' ' },
    { name: 'Due', type: 'date', isRequired: true },
    { name: 'State', type: 'choice', choices: 'open; closed ;; open' },
  ],
};
const setup = (change: object = {}) => setupOf({ kaptain: { ...given, ...change } });

describe('the set-up in the property panel', () => {
  it('is read from the layout; empty and repeated fields are left out', () => {
    expect(setup()).toEqual({
      serviceUrl: 'https://kaptain.example.com:8000',
      kapsuleId: 'k1',
      keyDimension: 1,
      fields: [
        { name: 'Comment', type: 'text', choices: [], isRequired: false },
        { name: 'Due', type: 'date', choices: [], isRequired: true },
        { name: 'State', type: 'choice', choices: ['open', 'closed'], isRequired: false },
      ],
      saving: 'atOnce',
      reload: 'none',
    });
  });

  it('takes only the known ways of saving', () => {
    expect(setup({ saving: 'button', reload: 'partial' })).toMatchObject({
      saving: 'button',
      reload: 'partial',
    });
    expect(setup({ saving: 'x', reload: 'y' })).toMatchObject({ saving: 'atOnce', reload: 'none' });
  });

  it.each([
    ['no address', { serviceUrl: '' }],
    ['an address that runs a script', { serviceUrl: 'javascript:alert(1)' }],
    ['an address with a user name', { serviceUrl: 'https://a@evil.example.com' }],
    ['no kapsule', { kapsuleId: ' ' }],
    ['no fields', { fields: [] }],
  ])('tells what is missing with %s', (_, change) => {
    expect(setup(change)).toHaveProperty('missing');
  });

  it('of an object without properties tells what is missing', () => {
    expect([setupOf(undefined), setupOf({})].every((found) => 'missing' in found)).toBe(true);
  });
});
