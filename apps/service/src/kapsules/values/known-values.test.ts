import type { Field, Kapsule } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { addKapsule, addLargeGranules, grant } from '../../testing/kapsules.ts';

const shared = appOfFile();

describe('choices of another kapsule, and people', () => {
  it('are its values now, for those who may read it when they choose it', async () => {
    const { app, admin } = shared;
    const otto = await app.asUser('otto', { isCreate: true });
    const source = await addKapsule(app.store, 'Cities', {
      fields: [{ _id: 'c', name: 'City', type: 'text' }],
    });
    await app.store.granules.upsert(source.id, [{ key: '1', user: 'u', data: { City: 'Oslo' } }]);
    const field = { name: 'City', type: 'choice', choicesFrom: { kapsuleId: source.id, field: 'City' } };
    const structure = { name: 'Trips', keyField: 'id', fields: [field] };
    expect((await otto.post('/api/kapsule', structure)).body.message).toBe(
      'The field City: its choices come from a field that does not exist, or that you may not see.',
    );
    const { body } = await admin.post('/api/kapsule', structure);
    const path = `/api/kapsule/${String(body['_id'])}`;
    const save = async (City: string) =>
      (await admin.call('PUT', `${path}/granules`, { body: { granules: [{ key: City, data: { City } }] } }))
        .status;
    expect([await save('Oslo'), await save('Rome')]).toEqual([200, 400]);
    await app.store.granules.upsert(source.id, [{ key: '2', user: 'u', data: { City: 'Rome' } }]);
    expect(await save('Rome')).toBe(200);
    expect((await admin.get(`${path}/values?field=City&q=o`)).body).toEqual({ values: ['Oslo', 'Rome'] });
    expect((await otto.get(`${path}/values?field=City`)).status).toBe(404);
    expect((await app.asNobody.get(`${path}/values?field=City`)).status).toBe(401);
  });

  it('do not name their kapsule to those who may not read it, and stay when these change another rule', async () => {
    const { app, admin } = shared;
    const dora = await app.asUser('dora');
    const source = await addKapsule(app.store, 'Secret cities', {
      fields: [{ _id: 'c', name: 'City', type: 'text' }],
    });
    await app.store.granules.upsert(source.id, [{ key: '1', user: 'u', data: { City: 'Oslo' } }]);
    const choicesFrom = { kapsuleId: source.id, field: 'City' };
    const kapsule = await addKapsule(app.store, 'Open trips', {
      fields: [{ _id: 'f', name: 'City', type: 'choice', choicesFrom }],
    });
    await app.store.granules.upsert(kapsule.id, [{ key: '1', user: 'u', data: { City: 'Oslo' } }]);
    await grant(app.store, 'dora', ['READ', 'DELETE'], [kapsule]);
    const path = `/api/kapsule/${kapsule.id}`;
    const sourcesFor = async (caller: typeof dora) => {
      const one = (await caller.get(path)).body as unknown as Kapsule;
      const all = (await caller.get('/api/kapsule')).body as unknown as Kapsule[];
      const { fields } = (await caller.get(`${path}/fields`)).body as unknown as Pick<Kapsule, 'fields'>;
      const kap = (await caller.get(`/api/kapsule/export/kapsule?kapsuleId=${kapsule.id}`)).text;
      const lists = [
        one.fields,
        all.find(({ _id }) => _id === kapsule.id)?.fields,
        fields,
        (JSON.parse(kap) as { kapsule: Pick<Kapsule, 'fields'> }).kapsule.fields,
      ];
      return lists.map((list) => list?.[0]?.choicesFrom?.kapsuleId);
    };
    expect(await sourcesFor(admin)).toEqual(Array.from({ length: 4 }, () => source.id));
    expect(await sourcesFor(dora)).toEqual(['', '', '', '']);
    expect((await dora.get(`${path}/values?field=City`)).body).toEqual({ values: ['Oslo'] });

    const fieldsWith = (from: object) => [{ name: 'City', type: 'choice', label: 'Town', choicesFrom: from }];
    const own = fieldsWith({ kapsuleId: '', field: 'City' });
    expect((await dora.post(`${path}/fields/check`, { fields: own })).body).toMatchObject({ count: 0 });
    const put = (fields: object[]) =>
      dora.call('PUT', path, { body: { name: 'Open trips', table: '', keyField: 'id', fields } });
    const { status, body } = await put(own);
    expect([status, (body as unknown as Kapsule).fields[0]?.choicesFrom?.kapsuleId]).toEqual([200, '']);
    expect((await app.store.kapsules.get(kapsule.id))?.fields).toEqual([
      { _id: 'f', name: 'City', type: 'choice', label: 'Town', choicesFrom },
    ]);
    expect((await put(fieldsWith({ kapsuleId: '', field: 'Mayor' }))).status).toBe(400);
    expect((await put(fieldsWith({ kapsuleId: source.id, field: 'Mayor' }))).status).toBe(400);
  });

  it('are the owner and the members of its groups, whom other writers do not learn', async () => {
    const { app } = shared;
    const [pia] = [await app.asUser('pia'), await app.asUser('paul'), await app.asUser('stranger')];
    const fields: Field[] = [{ _id: 'p', name: 'Who', type: 'person' }];
    const kapsule = await addKapsule(app.store, 'Tasks', { fields, owner: 'pia' });
    await grant(app.store, 'paul', ['READ'], [kapsule]);
    const path = `/api/kapsule/${kapsule.id}`;
    expect((await pia.get(`${path}/values?field=Who`)).body).toEqual({ values: ['paul', 'pia'] });
    const save = async (Who: string) =>
      (await pia.call('PUT', `${path}/granules`, { body: { granules: [{ key: Who, data: { Who } }] } }))
        .status;
    expect([await save('paul'), await save('PAUL'), await save('stranger')]).toEqual([200, 400, 400]);
    const granules = Array.from({ length: 60 }, (_, n) => ({ key: `${n}`, data: { Who: `nobody ${n}` } }));
    const { body } = await pia.call('PUT', `${path}/granules`, { body: { granules } });
    expect(body['details']).toMatchObject({ count: 60 });
  });

  it('are short texts of a source that is small enough to read at a save', async () => {
    const { app, admin } = shared;
    const source = await addKapsule(app.store, 'Long texts', {
      fields: [{ _id: 'c', name: 'comment', type: 'text' }],
    });
    await app.store.granules.upsert(source.id, [
      { key: 'short', user: 'u', data: { comment: 'short' } },
      { key: 'two parts', user: 'u', data: { comment: 'a; b' } },
      { key: 'long', user: 'u', data: { comment: 'x'.repeat(600) } },
    ]);
    const { id } = await addKapsule(app.store, 'Of long texts', {
      fields: [
        { _id: 'c', name: 'City', type: 'choice', choicesFrom: { kapsuleId: source.id, field: 'comment' } },
      ],
    });
    const values = () => admin.get(`/api/kapsule/${id}/values?field=City`);
    expect((await values()).body).toEqual({ values: ['a; b', 'short'] });
    const several = await addKapsule(app.store, 'Several of long texts', {
      fields: [
        { _id: 'c', name: 'City', type: 'choices', choicesFrom: { kapsuleId: source.id, field: 'comment' } },
      ],
    });
    expect((await admin.get(`/api/kapsule/${several.id}/values?field=City`)).body).toEqual({
      values: ['short'],
    });
    await addLargeGranules(app.store, source, 90);
    const { status, body } = await values();
    expect([status, body.code, body.message]).toEqual([
      409,
      'LIMIT_REACHED',
      'The choices of another place are too many to be read at a save.',
    ]);
  });
});
