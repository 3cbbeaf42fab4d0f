import type { Field } from '@kaptain/contract';
import { expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { addKapsule } from '../../testing/kapsules.ts';

const shared = appOfFile();

it('values are offered in order, the first ones of many', async () => {
  const { app, admin } = shared;
  const choices = Array.from({ length: 450 }, (_, n) => ({ value: `choice ${(n * 7) % 450}` }));
  const fields: Field[] = [{ _id: 'c', name: 'One', type: 'choice', choices }];
  const { id } = await addKapsule(app.store, 'Many choices', { fields });
  const all = choices.map(({ value }) => value).toSorted();
  const offered = async (q: string) => (await admin.get(`/api/kapsule/${id}/values?field=One&q=${q}`)).body;
  expect(await offered('')).toEqual({ values: all.slice(0, 100) });
  expect(await offered('E%204')).toEqual({
    values: all.filter((value) => value.startsWith('choice 4')).slice(0, 100),
  });
  expect(await offered('nothing')).toEqual({ values: [] });
});
