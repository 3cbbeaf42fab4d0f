import type { Field } from '@kaptain/contract';
import { expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { addKapsule } from '../../testing/kapsules.ts';

const shared = appOfFile();
const fields: Field[] = [
  { _id: 'f1', name: 'Reason', type: 'text', required: true },
  { _id: 'f2', name: 'State', type: 'text', default: 'open' },
  { _id: 'f3', name: 'Amount', type: 'number' },
  { _id: 'f4', name: 'Talk', type: 'thread' },
];

it('a record that a comment has made is checked as a new one', async () => {
  const { app, admin } = shared;
  const { id } = await addKapsule(app.store, 'Commented', { fields });
  const path = `/api/kapsule/${id}/granules`;
  const comment = { key: 'k', field: 'Talk', id: 'abcdefgh1234', text: 'first' };
  expect((await admin.post(`${path}/thread`, comment)).status).toBe(200);
  const save = (data: object) => admin.call('PUT', path, { body: { granules: [{ key: 'k', data }] } });
  expect((await save({ Amount: 1 })).body.message).toBe('The record "k": Reason is required!');
  expect((await save({ Reason: 'r' })).status).toBe(200);
  const [stored] = await app.store.granules.lookup(id, ['k']);
  expect(stored?.data).toEqual({ Reason: 'r', State: 'open', Talk: expect.stringContaining('first') });
});
