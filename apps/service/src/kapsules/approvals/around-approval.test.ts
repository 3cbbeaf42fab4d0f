import { type Field, limits, type Proposal } from '@kaptain/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../base/time/durations.ts';
import { sweepDeleted } from '../../platform/jobs/sweep-deleted.ts';
import { type Caller, callerOf } from '../../testing/caller.ts';
import { asExtension, asProven, PAGE } from '../../testing/extension.ts';
import { addKapsule, grant } from '../../testing/kapsules.ts';
import { memoryLogs } from '../../testing/memory-logs.ts';
import { qvdBytes, send } from '../../testing/qvd.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { type ApprovedKapsule, approvedKapsule } from './testing/approved-kapsule.ts';

const onPage = { origin: PAGE };
const fields: Field[] = [
  { _id: 'f1', name: 'comment', type: 'text' },
  { _id: 'f2', name: 'amount', type: 'number' },
  { _id: 'f3', name: 'talk', type: 'thread' },
];

describe('no way leads round an approval', () => {
  let app: TestApp;
  let world: ApprovedKapsule;
  let key: Caller;
  beforeAll(async () => {
    app = await testApp({ settings: { corsAllowOrigins: [PAGE], apiKey: true } });
    world = await approvedKapsule(app, { fields });
    const apikey = String((await world.admin.get('/api/privatekey/get')).body['apikey']);
    await world.admin.post('/api/privatekey/create', { name: 'loader', apikey, mayDelete: true });
    key = callerOf(app.http, apikey);
    await world.ask(null);
    await world.save(world.admin, 'k', { comment: 'x', amount: 1 });
    await world.save(world.admin, 'gone', { comment: 'x', amount: 1 });
    await world.ask({});
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const outcome = async (of: Caller, proposal: Proposal, headers: Record<string, string> = {}) => {
    const body = { decision: 'accept', proposals: [{ _id: proposal._id, version: proposal.version }] };
    const answer = await of.call('POST', `${world.path}/proposals/decide`, { body, headers });
    const [result] = (answer.body['results'] ?? []) as { outcome: string; code?: string }[];
    return result ? [result.outcome, result.code] : answer.status;
  };
  const withdraw = async (of: Caller, { _id }: Proposal, headers: Record<string, string> = {}) => {
    const body = { proposalIds: [_id] };
    const answer = await of.call('POST', `${world.path}/proposals/withdraw`, { body, headers });
    return ((answer.body['results'] ?? []) as { outcome: string }[])[0]?.outcome;
  };
  const amount = async (name = 'k') => (await world.stored(name))?.['amount'];

  it('by a key that names somebody: neither they nor its maker approve, and a key decides nothing', async () => {
    const { admin, bob, eve, ask, only, path } = world;
    const named = { 'x-kaptain-user': 'test\\BOB' };
    const body = { granules: [{ key: 'k', data: { comment: 'x', amount: 2 } }] };
    expect((await key.call('PUT', `${path}/granules`, { body, headers: named })).body).toMatchObject({
      upserted: 0,
      proposed: [{ key: 'k' }],
    });
    const proposal = await only();
    expect(proposal.author).toBe('test\\BOB');
    expect(await outcome(bob, proposal)).toEqual(['failed', 'FORBIDDEN']);
    expect(await outcome(key, proposal)).toBe(403);
    expect(await withdraw(key, proposal, { 'x-kaptain-user': 'TEST\\eve' })).toBe('failed');
    expect(await withdraw(bob, proposal)).toBe('failed');
    await ask(null);
    expect(await outcome(admin, proposal)).toEqual(['failed', 'FORBIDDEN']);
    await ask({});
    expect((await only(eve)).mayDecide).toBe(true);
    expect(await withdraw(key, proposal, named)).toBe('withdrawn');
    expect(await amount()).toBe(1);
  });

  it('by the sheet: what one person proposes there, they do not approve here', async () => {
    const { bob, eve, kapsule, path, only } = world;
    const sheet = await asExtension(app, bob, [kapsule.id]);
    const proven = await asProven(app, { directory: 'TEST', userId: 'bob' }, [kapsule.id]);
    const body = { granules: [{ key: 'k', data: { comment: 'x', amount: 3 } }] };
    await sheet.call('PUT', `${path}/granules`, { body, headers: onPage });
    const proposal = await only();
    expect(await outcome(bob, proposal)).toEqual(['failed', 'FORBIDDEN']);
    expect(await outcome(sheet, proposal, onPage)).toEqual(['failed', 'FORBIDDEN']);
    expect(await outcome(proven, proposal, onPage)).toEqual(['failed', 'FORBIDDEN']);
    const ofEve = await asExtension(app, eve, [kapsule.id]);
    expect((await ofEve.get(`${path}/fields`, onPage)).body).toMatchObject({
      approval: { fields: ['amount'], count: 1, mayDecide: true },
    });
    expect(await outcome(ofEve, proposal, onPage)).toEqual(['accepted', undefined]);
    expect(await amount()).toBe(3);
  });

  it('by a deletion, which is for the owner and approvers, and leads to a proposal when the record is made again', async () => {
    const { admin, path, save, kapsule, only, bob, ann } = world;
    const dora = await app.asUser('dora');
    await grant(app.store, 'dora', ['DELETE'], [kapsule]);
    const [granule] = await app.store.granules.lookup(kapsule.id, ['gone']);
    const byIds = { granuleIds: [granule?.id], sqlType: 'kaptaindb', tableName: 'kaptaindb' };
    const remove = (of: Caller, body: object) => of.call('DELETE', `${path}/granules`, { body });
    for (const caller of [dora, admin, key]) {
      expect((await caller.call('DELETE', '/api/kapsule/sql/granules', { body: byIds })).status).toBe(403);
      expect((await remove(caller, { keys: ['gone'] })).body).toMatchObject({
        code: 'FORBIDDEN',
        message: expect.stringContaining('need approval'),
      });
      expect((await remove(caller, { q: 'gone', expected: 1 })).status).toBe(403);
    }
    const olga = await app.asUser('olga');
    expect((await remove(olga, { keys: ['gone'] })).body).toEqual({ deleted: 1 });
    expect((await save(olga, 'gone', { amount: 9 })).body).toMatchObject({ upserted: 0 });
    expect(await amount('gone')).toBeUndefined();
    const proposal = await only();
    await admin.call('POST', `${path}/granules/restore`, { body: { granuleIds: [granule?.id] } });
    expect(await amount('gone')).toBe(1);
    expect(await outcome(bob, proposal)).toEqual(['failed', 'CONFLICT']);
    expect(await withdraw(olga, proposal)).toBe('withdrawn');
    // A proposal for a record that is deleted does not bring it back.
    await save(ann, 'gone', { comment: 'x', amount: 5 });
    const late = await only();
    await remove(olga, { keys: ['gone'] });
    expect(await outcome(bob, late)).toEqual(['failed', 'CONFLICT']);
    await withdraw(ann, late);
  });

  it('by an import, also of the owner: its rows are refused by the rule, those without a change are not', async () => {
    const { kapsule } = world;
    const before = await amount();
    const olga = await app.asUser('olga');
    const rows = [
      ['k', 'better', before as number],
      ['k2', 'new', null],
      ['k3', 'new', 5],
    ];
    const file = { name: 'a.qvd', content: qvdBytes(['id', 'comment', 'amount'], rows) };
    const refused = { key: 'k3', field: 'amount', rule: 'approval', value: 5 };
    expect((await send(olga, kapsule.id, [file])).body).toMatchObject({
      code: 'VALUES_REFUSED',
      details: { count: 1, refused: [refused] },
    });
    const told = { refused: { rules: [{ field: 'amount', rule: 'approval', count: 1 }] } };
    expect((await send(olga, kapsule.id, [file], '&dryRun=true')).body).toMatchObject({ files: [told] });
    expect((await send(olga, kapsule.id, [file], '&goodRowsOnly=true')).body).toMatchObject({ rows: 2 });
    expect(await world.stored('k')).toMatchObject({ comment: 'better', amount: before });
    expect(await world.stored('k2')).toEqual({ comment: 'new' });
    // A file without the column would empty the field.
    const without = { name: 'b.qvd', content: qvdBytes(['id', 'comment'], [['k', 'y']]) };
    expect((await send(olga, kapsule.id, [without])).body).toMatchObject({
      details: { refused: [{ key: 'k', field: 'amount', rule: 'approval', value: null }] },
    });
  });

  it('by comments, which need none and keep what is stored', async () => {
    const { ann, path } = world;
    const before = await amount();
    const body = { key: 'k', field: 'talk', id: 'comment1', text: 'hello' };
    expect((await ann.post(`${path}/granules/thread`, body)).status).toBe(200);
    expect(await amount()).toBe(before);
    expect(await world.open(ann)).toEqual([]);
  });

  it('by another structure: a field that needs approval stays, and stays no thread', async () => {
    const { admin, path, kapsule } = world;
    const change = (own: object[]) =>
      admin.call('PUT', path, { body: { name: kapsule.name, table: '', keyField: 'id', fields: own } });
    const plain = fields.map(({ name, type }) => ({ name, type }));
    const named = (name: string, type: string) => [plain[0], { name, type }, plain[2]] as object[];
    expect((await change(named('Amount', 'number'))).body).toMatchObject({
      code: 'CONFLICT',
      message:
        'Changes of the field amount need approval, and there is no such field. Please change the approval first.',
    });
    expect((await change(named('amount', 'thread'))).status).toBe(409);
    expect((await change(plain)).body).toMatchObject({ approval: { fields: ['amount'] } });
    const body = { approval: { fields: ['talk'], groupIds: [world.approvers] } };
    expect((await admin.call('PUT', `${path}/approval`, { body })).status).toBe(400);
  });

  it('and can’t be asked for where other programs write', async () => {
    const { admin, approvers } = world;
    const elsewhere = await addKapsule(app.store, 'Elsewhere', { database: 'postgresql', tableName: 't' });
    const body = { approval: { groupIds: [approvers] } };
    expect((await admin.call('PUT', `/api/kapsule/${elsewhere.id}/approval`, { body })).body).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('which other programs change without approval'),
    });
  });

  it('nor do proposals outlive their kapsule, or refused ones 90 days', async () => {
    const own = await approvedKapsule(app);
    const { ann, bob, admin, save, only, decide, kapsule } = own;
    await save(ann, 'a', { amount: 1 });
    await decide(bob, 'refuse', [await only()], 'no');
    await save(ann, 'b', { amount: 1 });
    await decide(bob, 'accept', [await only()]);
    await save(ann, 'c', { amount: 1 });
    const states = async () =>
      (await app.store.proposals.findBy('kapsuleId', kapsule.id)).map(({ state }) => state).toSorted();
    const sweep = (days: number) => sweepDeleted(app, Date.now() + days * DAY_MS, memoryLogs().logs.app);
    await sweep(89);
    expect(await states()).toEqual(['accepted', 'open', 'refused']);
    await sweep(91);
    expect(await states()).toEqual(['accepted', 'open']);
    await admin.call('DELETE', '/api/kapsule/sql', { body: { kapsuleIds: [kapsule.id] } });
    expect((await bob.get('/api/proposals/waiting')).body['data']).not.toContainEqual(
      expect.objectContaining({ kapsuleId: kapsule.id }),
    );
    await sweep(limits.restoreDays - 1);
    expect(await states()).toEqual(['accepted', 'open']);
    await admin.call('DELETE', `/api/kapsule/deleted/${kapsule.id}`);
    expect(await states()).toEqual([]);
  });
});
