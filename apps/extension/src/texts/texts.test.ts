import { afterEach, describe, expect, it } from 'vitest';
import { parseCell, showCell } from '../model/values.ts';
import { chooseLanguage, texts } from './texts.ts';

afterEach(() => chooseLanguage('en'));

describe('the texts', () => {
  it.each([
    ['de', 'Speichern'],
    ['fr-CH', 'Enregistrer'],
    ['es_MX', 'Guardar'],
    ['DE', 'Speichern'],
    ['ja', 'Save'],
    ['', 'Save'],
  ])('of the language %j say %s', (code, save) => {
    chooseLanguage(code);
    expect(texts().save).toBe(save);
  });

  it.each(['en', 'de', 'fr', 'es'])('of %s show yes and no so that they are read again', (code) => {
    chooseLanguage(code);
    for (const value of [true, false])
      expect(parseCell({ name: 'Done', type: 'boolean', choices: [] }, showCell('boolean', value))).toEqual({
        value,
      });
  });
});
