import { describe, expect, it } from 'vitest';
import { chosenIn } from './choose-kapsule.ts';

describe('a chosen kapsule', () => {
  it('gives the properties its id and its fields with the types of cells', () => {
    const fields = [
      { name: 'Comment', type: 'text' },
      { name: 'Tags', type: 'list' },
      { name: 'At', type: 'timestamp' },
      { name: 'Odd', type: 'unknown' },
      { name: '' },
    ];
    const chosen = chosenIn({ id: 'k1', name: 'Sales', fields });
    expect(chosen?.kapsuleId).toBe('k1');
    expect(chosen?.fields.map(({ name, type }) => [name, type])).toEqual([
      ['Comment', 'text'],
      ['Tags', 'choices'],
      ['At', 'timestamp'],
      ['Odd', 'text'],
    ]);
  });

  it.each([undefined, null, {}, { id: 'k' }, { id: '', fields: [] }, { id: 1, fields: [] }])(
    'in another form is none: %j',
    (message) => {
      expect(chosenIn(message)).toBeUndefined();
    },
  );
});
