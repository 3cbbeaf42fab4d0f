import { expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { valuesCheck } from './values-check.ts';

const shared = appOfFile();

it('the stored values that do not fit are counted for each kapsule, as far as the time allows', async () => {
  const { store } = shared.app;
  const one = await addKapsule(store, 'One');
  await addKapsule(store, 'Empty');
  const rows = ['1', '2', '3'].map((key) => ({ key, user: 'u', data: { amount: Number(key) } }));
  await store.granules.upsert(one.id, rows);
  expect(await valuesCheck(store).check()).toMatchObject({
    state: 'ok',
    sentence: 'All that were read fit their fields.',
  });
  await store.granules.upsert(one.id, [
    { key: '2', user: 'u', data: { amount: 'NaN!', colour: 'red' } },
    { key: '4', user: 'u', data: { amount: 'many' } },
  ]);
  expect(await valuesCheck(store).check()).toMatchObject({
    state: 'warning',
    sentence: 'Some do not fit their fields: 3 in One. “Values that do not fit” lists them for each.',
  });
  const { sentence } = await valuesCheck(store, 0).check();
  expect(sentence).toContain('0 of 2 were read whole within 0 seconds.');
});
