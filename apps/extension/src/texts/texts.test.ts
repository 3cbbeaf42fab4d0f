import type { RuleName } from '@kaptain/contract/field-rules';
import { fieldTypeNames } from '@kaptain/contract/fields';
import { afterEach, describe, expect, it } from 'vitest';
import { refusalText } from '../model/refusal-text.ts';
import { editText, readCell } from '../model/values.ts';
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
    const done = { name: 'Done', type: 'boolean' } as const;
    for (const value of [true, false]) expect(readCell(done, editText(done, value))).toEqual({ value });
  });

  it.each(['de', 'fr', 'es'])('of %s have no English sentence for a rule', (code) => {
    const rules: Record<RuleName, true> = {
      type: true,
      unknown: true,
      required: true,
      writeOnce: true,
      min: true,
      max: true,
      decimals: true,
      pattern: true,
      choices: true,
      person: true,
      closed: true,
      approval: true,
    };
    const sentences = () =>
      fieldTypeNames.flatMap((type) =>
        (Object.keys(rules) as RuleName[]).map((rule) =>
          refusalText({ name: 'F', type, min: 1, max: 2 }, { rule, message: 'English' }),
        ),
      );
    const english = new Set(sentences());
    chooseLanguage(code);
    expect(sentences().filter((sentence) => english.has(sentence) || sentence === 'English')).toEqual([]);
  });

  it('repeat the sentence of the service for a rule that they do not know', () => {
    const rule = 'newer' as RuleName;
    expect(refusalText({ name: 'F', type: 'text' }, { rule, message: 'F is too new!' })).toBe(
      'F is too new!',
    );
  });
});
