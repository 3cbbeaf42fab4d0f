import type { Field } from '@kaptain/contract';
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
      'The choices come from the field "comment" of records with more data than choices may have.',
    ]);
  });
});
