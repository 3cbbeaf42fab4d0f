import type { Field } from '@kaptain/contract';
import { expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { addKapsule } from '../../testing/kapsules.ts';
import { upload } from '../../testing/multipart.ts';

const shared = appOfFile();
const fields: Field[] = [
  { _id: 'f1', name: 'Note', type: 'paragraph', help: 'Why?', required: true },
  { _id: 'f2', name: 'State', type: 'choice', choices: [{ value: 'open', color: 'green' }] },
  { _id: 'f3', name: 'Stars', type: 'rating' },
];
const bare = (some: readonly Field[]) => some.map(({ name, type }) => ({ name, type }));

const exported = async (id: string, more = '') =>
  JSON.parse((await shared.admin.get(`/api/kapsule/export/kapsule?kapsuleId=${id}${more}`)).text);
const replace = async (id: string, kap: object) => {
  const file = { name: 'a.kap', content: JSON.stringify(kap) };
  const { body } = await upload(shared.admin, `/api/kapsule/import/kapsule/${id}`, [file]);
  return (body['kapsule'] as { fields: Field[] }).fields;
};

it('a .kap file has the version 2 only where it needs it, and brings the rules back', async () => {
  const { app, admin } = shared;
  const plain = await addKapsule(app.store, 'Plain');
  expect((await exported(plain.id)).version).toBe(1);
  const { id } = await addKapsule(app.store, 'With rules', { fields });
  const kap = await exported(id);
  expect([kap.version, kap.kapsule.fields]).toEqual([2, fields.map(({ _id, ...field }) => field)]);
  const content = JSON.stringify({ ...kap, kapsule: { ...kap.kapsule, name: 'Copy' } });
  const { body } = await upload(admin, '/api/kapsule/import/kapsules', [{ name: 'a.kap', content }]);
  const [line] = body as unknown as { kapsuleId: string }[];
  expect((await exported(line?.kapsuleId ?? '')).kapsule.fields).toEqual(kap.kapsule.fields);
});

it('a .kap file for earlier versions has their types alone', async () => {
  const { id } = await addKapsule(shared.app.store, 'For earlier ones', { fields });
  const kap = await exported(id, '&earlier=true');
  expect([kap.version, kap.kapsule.fields]).toEqual([
    1,
    [
      { name: 'Note', type: 'text' },
      { name: 'State', type: 'text' },
      { name: 'Stars', type: 'number' },
    ],
  ]);
});

it('a file of version 1 takes no rules from the fields that stay, and brings none', async () => {
  const { id } = await addKapsule(shared.app.store, 'Replaced', { fields });
  const kap = await exported(id);
  const old = {
    ...kap,
    version: 1,
    kapsule: { ...kap.kapsule, fields: [...bare(fields), { name: 'New', type: 'text', required: true }] },
  };
  const [note, state, stars, added] = await replace(id, old);
  expect([note, state, stars]).toEqual(fields);
  expect(added).toEqual({ _id: expect.any(String), name: 'New', type: 'text' });
  expect(await replace(id, { ...kap, kapsule: { ...kap.kapsule, fields: bare(fields.slice(2)) } })).toEqual([
    { _id: 'f3', name: 'Stars', type: 'rating' },
  ]);
});

it('a file for earlier versions, brought back, keeps rules and newer types; a type that it changes loses its rules', async () => {
  const { id } = await addKapsule(shared.app.store, 'Brought back', { fields });
  const earlier = await exported(id, '&earlier=true');
  expect(await replace(id, earlier)).toEqual(fields);
  const [note, , stars] = earlier.kapsule.fields;
  const changed = { ...earlier.kapsule, fields: [note, { name: 'State', type: 'number' }, stars] };
  expect(await replace(id, { ...earlier, kapsule: changed })).toEqual([
    fields[0],
    { _id: 'f2', name: 'State', type: 'number' },
    fields[2],
  ]);
});
