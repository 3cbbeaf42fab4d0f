import type { Field } from '@kaptain/contract';
import { describe, expect, it, vi } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { actionsOn, addKapsule, grant } from '../../testing/kapsules.ts';

const shared = appOfFile();

const rules: Field[] = [
  { _id: 'f1', name: 'Reason', type: 'text', required: true, max: 10 },
  { _id: 'f2', name: 'Amount', type: 'number', min: 0, label: 'Value' },
  {
    _id: 'f3',
    name: 'State',
    type: 'choice',
    choices: [{ value: 'open' }, { value: 'shut' }],
    default: 'open',
  },
  { _id: 'f4', name: 'Source', type: 'text', writeOnce: true },
];

async function ruled(name: string, fields = rules) {
  const { app, admin } = shared;
  const { id } = await addKapsule(app.store, name, { fields });
  const saveRows = (granules: object[]) =>
    admin.call('PUT', `/api/kapsule/${id}/granules`, { body: { granules } });
  const save = (key: string, data: object, version?: number) => saveRows([{ key, data, version }]);
  const stored = async (key: string) => (await app.store.granules.lookup(id, [key]))[0];
  /** As a version of before stored it, or a database of others. */
  const storeUnchecked = (key: string, data: Record<string, unknown>) =>
    app.store.granules.upsert(id, [{ key, user: 'u', data }]);
  return { id, save, saveRows, stored, storeUnchecked };
}

describe('a save', () => {
  it('is refused for values that break a type or a rule, with each of them, and stores nothing', async () => {
    const { app, admin } = shared;
    const { id, stored } = await ruled('Refused');
    const granules = [
      { key: 'good', data: { Reason: 'fine' } },
      { key: 'bad', data: { Reason: '', Amount: -1, State: 'ajar', other: 1 } },
      { key: 'worse', data: { Reason: 'a reason too long', Amount: 'NaN!' } },
    ];
    const { status, body } = await admin.call('PUT', `/api/kapsule/${id}/granules`, { body: { granules } });
    expect([status, body.code, body.message]).toEqual([
      400,
      'VALUES_REFUSED',
      'The record "bad": There is no field "other". 6 values were refused in all.',
    ]);
    const row = (key: string, field: string, rule: string, value: unknown, message: string) => ({
      key,
      field,
      rule,
      ...(value !== undefined && { value }),
      message,
    });
    expect(body['details']).toEqual({
      count: 6,
      refused: [
        row('bad', 'other', 'unknown', undefined, 'There is no field "other".'),
        row('bad', 'Reason', 'required', '', 'Reason is required!'),
        row('bad', 'Amount', 'min', -1, 'Value must be at least 0!'),
        row('bad', 'State', 'choices', 'ajar', 'State is not one of the choices!'),
        row('worse', 'Reason', 'max', 'a reason too long', 'Reason must have at most 10 characters!'),
        row('worse', 'Amount', 'type', 'NaN!', 'Value is not a valid number!'),
      ],
    });
    expect(await stored('good')).toBeNull();
    expect(await actionsOn(app.store, 'kapsule', id)).toEqual([]);
  });

  it('tells the first refused values of many, as many as fit, and counts all', async () => {
    const { admin } = shared;
    const { id } = await ruled('Many');
    const granules = Array.from({ length: 500 }, (_, n) => ({
      key: `${n}`,
      data: { Reason: 'x'.repeat(1_900) },
    }));
    const { text, body } = await admin.call('PUT', `/api/kapsule/${id}/granules`, { body: { granules } });
    const { count, refused } = body['details'] as { count: number; refused: unknown[] };
    expect([count, refused.length]).toEqual([500, 100]);
    expect(text.length).toBeLessThan(1_100_000);
  });

  it('gives new records their defaults, and stores one form of each value', async () => {
    const { save, stored } = await ruled('Forms', [
      ...rules,
      { _id: 'f5', name: 'At', type: 'timestamp' },
      { _id: 'f6', name: 'Link', type: 'link' },
    ]);
    const data = { Reason: 'new', At: '2026-01-31T10:00Z', Link: 'https://example.com', Amount: '' };
    expect((await save('k', data)).status).toBe(200);
    expect((await stored('k'))?.data).toEqual({
      Reason: 'new',
      Amount: null,
      State: 'open',
      At: '2026-01-31T10:00:00.000Z',
      Link: 'https://example.com/',
    });
    expect((await save('k', { Reason: 'again' })).status).toBe(200);
    expect((await stored('k'))?.data).toEqual({ Reason: 'again' });
  });

  it('keeps values of before that stay as they are, and refuses others beside them', async () => {
    const { save, stored, storeUnchecked } = await ruled('Before');
    await storeUnchecked('k', { Reason: 'a reason too long', Amount: 'many', gone: true });
    const before = { Reason: 'a reason too long', Amount: 'many', gone: true };
    expect((await save('k', { ...before, State: 'shut' })).status).toBe(200);
    expect((await stored('k'))?.data).toEqual({ ...before, State: 'shut' });
    expect((await save('k', { ...before, Amount: 'more' })).status).toBe(400);
    expect((await save('k', { ...before, gone: false })).status).toBe(400);
  });

  it('never changes a value that is written once, also when two come at once', async () => {
    const { save, stored } = await ruled('Once');
    const first = await Promise.all(
      Array.from({ length: 20 }, (_, n) => save('k', { Reason: 'r', Source: `source ${n}` })),
    );
    const { data } = (await stored('k')) ?? {};
    // Each of the others found the value of the first one.
    expect(first.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(first.filter(({ status }) => status === 400)).toHaveLength(19);
    expect((await save('k', { ...data, Reason: 'other' })).status).toBe(200);
    expect((await save('k', { Reason: 'other' })).status).toBe(400);
  });

  it('never changes a value that is written once by a later row of the same key', async () => {
    const { save, saveRows, stored } = await ruled('Twice');
    const twice = (key: string, second: object) =>
      saveRows([
        { key, data: { Reason: 'r', Source: 'first' } },
        { key, data: second },
      ]);
    expect((await twice('k', { Reason: 'r', Source: 'second' })).status).toBe(400);
    expect(await stored('k')).toBeNull();
    expect((await twice('k', { Reason: 'again', Source: 'first' })).status).toBe(200);
    expect((await stored('k'))?.data).toMatchObject({ Reason: 'again', Source: 'first' });
    expect((await save('k', { Reason: 'again', Source: 'second' })).status).toBe(400);
  });

  it('checks the second row of a key beside the first, whether or not the first needs the stored one', async () => {
    const { saveRows, stored, storeUnchecked } = await ruled('Beside', rules.slice(0, 2));
    await storeUnchecked('k', { Reason: 'a reason too long' });
    const { status } = await saveRows([
      { key: 'k', data: { Reason: 'fine' } },
      { key: 'k', data: { Reason: 'a reason too long' } },
    ]);
    expect(status).toBe(400);
    const both = await saveRows([
      { key: 'k', data: { Reason: 'a reason too long' } },
      { key: 'k', data: { Reason: 'fine' } },
    ]);
    expect(both.status).toBe(200);
    expect((await stored('k'))?.data).toEqual({ Reason: 'fine' });
  });

  it('never passes a rule that is added while it is checked', async () => {
    const { app, admin } = shared;
    const { id, save, stored } = await ruled('Raced', [rules[3] as Field]);
    const { granules } = app.store;
    const lookup = granules.lookup.bind(granules);
    const fields = [rules[3], { name: 'Reason', type: 'text', required: true }];
    const body = { name: 'Raced', table: '', keyField: 'id', fields };
    using _ = vi.spyOn(granules, 'lookup').mockImplementationOnce(async (...query) => {
      const answer = await lookup(...query);
      expect((await admin.call('PUT', `/api/kapsule/${id}`, { body })).status).toBe(200);
      return answer;
    });
    expect((await save('k', { Source: 'a' })).body.message).toBe('The record "k": Reason is required!');
    expect(await stored('k')).toBeNull();
  });

  it('with an old version is a conflict, whatever it brings', async () => {
    const { save } = await ruled('Conflict');
    await save('k', { Reason: 'r', Source: 'a' });
    const { status, body } = await save('k', { Reason: 'r', Source: 'b' }, 7);
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
  });
});

describe('the rules of a kapsule', () => {
  const change = (name: string, fields: unknown[]) => ({ name, table: '', keyField: 'id', fields });

  it('are changed by those who may change its structure, kept with it, and audited', async () => {
    const { app, admin } = shared;
    const vera = await app.asUser('vera');
    const kapsule = await addKapsule(app.store, 'Ruled');
    const path = `/api/kapsule/${kapsule.id}`;
    const fields = [{ name: 'comment', type: 'text', required: true }];
    expect((await app.asNobody.call('PUT', path, { body: change('Ruled', fields) })).status).toBe(401);
    expect((await vera.call('PUT', path, { body: change('Ruled', fields) })).status).toBe(404);
    await grant(app.store, 'vera', ['READ'], [kapsule]);
    expect((await vera.call('PUT', path, { body: change('Ruled', fields) })).status).toBe(403);
    expect((await admin.call('PUT', path, { body: change('Ruled', fields) })).status).toBe(200);
    expect((await vera.get(path)).body['fields']).toEqual([{ _id: 'f1', ...fields[0] }]);
    const [entry] = await actionsOn(app.store, 'kapsule', kapsule.id);
    expect(entry).toMatchObject({ after: { fields: ['comment (text) {"required":true}'] } });
  });

  it('are refused when they mean nothing', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Senseless');
    const refused = async (field: object) =>
      (await admin.call('PUT', `/api/kapsule/${id}`, { body: change('Senseless', [field]) })).body.message;
    expect(await refused({ name: 'a', type: 'text', pattern: '(' })).toBe(
      'The field a: its pattern can’t be used: a ) is missing.',
    );
    expect(await refused({ name: 'a', type: 'number', min: 2, max: 1 })).toBe(
      'The field a: its least value is above its largest.',
    );
    expect(await refused({ name: 'a', type: 'choice', choices: [{ value: 'x'.repeat(501) }] })).toContain(
      'Please use at most 500 characters.',
    );
    expect(await refused({ name: 'a', type: 'choices', choices: [{ value: 'x;y' }] })).toContain('"x;y"');
    expect(await refused({ name: 'a', type: 'color' })).toContain('fields');
    const choicesOf = (kapsuleId: string) => ({ type: 'choice', choicesFrom: { kapsuleId, field: 'a' } });
    for (const bad of ['\0', '\ud800'])
      for (const rules of [{ default: bad }, { type: 'list', default: [bad] }, choicesOf(bad)])
        expect(await refused({ name: 'a', type: 'text', ...rules })).toContain('cannot be stored');
    const choicesFrom = { kapsuleId: id, field: 'comment' };
    const fields = Array.from({ length: 21 }, (_, n) => ({ name: `f${n}`, type: 'choice', choicesFrom }));
    const { body } = await admin.call('PUT', `/api/kapsule/${id}`, { body: change('Senseless', fields) });
    expect(body.message).toBe('It has 21 fields with choices of another place, and may have at most 20.');
    const patterns = Array.from({ length: 13 }, (_, n) => ({
      name: `p${n}`,
      type: 'text',
      pattern: '.{100}.{100}',
    }));
    const steps = await admin.call('PUT', `/api/kapsule/${id}`, { body: change('Senseless', patterns) });
    expect([steps.status, steps.body.message]).toEqual([
      400,
      'Its patterns have 2600 steps together, and may have at most 2500: please shorten one.',
    ]);
  });
});
