import { readThread } from '@kaptain/contract';
import { expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { addKapsule } from '../../testing/kapsules.ts';

const shared = appOfFile();

/** Names of members of every object, which a field may have too. */
it.each(['constructor', 'toString', 'valueOf', '__proto__'])(
  'a thread called %s gets comments and keeps them',
  async (name) => {
    const { app, admin } = shared;
    const fields = [
      { _id: 'f1', name: 'note', type: 'text' as const },
      { _id: 'f2', name, type: 'thread' as const },
    ];
    const { id } = await addKapsule(app.store, `With ${name}`, { fields });
    const path = `/api/kapsule/${id}/granules`;
    const save = (note: string) =>
      admin.call('PUT', path, { body: { granules: [{ key: 'a', data: { note } }] } });
    expect((await save('1')).status).toBe(200);
    const comment = { key: 'a', field: name, id: 'comment00000001', text: 'hello' };
    expect((await admin.post(`${path}/thread`, comment)).status).toBe(200);
    expect((await save('2')).status).toBe(200);
    const [granule] = await app.store.granules.lookup(id, ['a']);
    const data = new Map(Object.entries(granule?.data ?? {}));
    expect(data.get('note')).toBe('2');
    expect(readThread(data.get(name))).toMatchObject({ preface: '', comments: [{ text: 'hello' }] });
  },
);
