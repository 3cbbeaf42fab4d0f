import { api, type Route } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../../tools/test-size.ts';
import { appOfFile } from './app-of-file.ts';
import { addGranules, addKapsule } from './kapsules.ts';

const nouns = [
  'kapsules',
  'deletedKapsules',
  'granules',
  'views',
  'approvals',
  'dataApi',
  'downloads',
] as const;
const all = nouns.flatMap((noun) =>
  Object.entries<Route>(api[noun]).map(([name, route]) => ({ name: `${noun}.${name}`, route })),
);

/** A valid body of each form; one field at a time is replaced by a hostile value. */
const forms: Record<string, Record<string, unknown>> = {
  'kapsules.remove': { kapsuleIds: ['x'], deleteTable: false, dropNow: false },
  'kapsules.update': { name: 'n', table: 't', keyField: 'k', fields: [{ name: 'f', type: 'text' }] },
  'deletedKapsules.restore': { name: 'n' },
  'granules.remove': { granuleIds: ['x'], sqlType: 'kaptaindb', tableName: 'kaptaindb' },
  'kapsules.setWriters': { writers: 'READ' },
  'kapsules.setLocks': { locks: [{ name: 'n', closes: 'when', conditions: [], openers: 'DELETE' }] },
  'kapsules.setApproval': { approval: { fields: ['comment'], groupIds: ['x'], count: 1 } },
  'approvals.decide': { decision: 'refuse', proposals: [{ _id: 'x', version: 1 }], reason: 'why' },
  'approvals.withdraw': { proposalIds: ['x'] },
  'kapsules.changeOwner': { kapsuleIds: ['x'], userId: 'x' },
  'granules.restoreMatching': { q: 'x', where: [], expected: 1 },
  'views.save': { name: 'n', query: '?q=x' },
  'dataApi.lookup': { keys: ['x'] },
  'granules.removeMatching': { q: 'x', reloaded: true, where: [], expected: 1 },
  'granules.restore': { granuleIds: ['x'] },
  'granules.checkFields': { fields: [{ name: 'f', type: 'text' }] },
  'dataApi.createKapsule': {
    name: 'n',
    table: 't',
    keyField: 'k',
    database: 'kaptaindb',
    tableName: 'kaptaindb',
    fields: [{ name: 'f', type: 'text' }],
  },
  'dataApi.upsert': { granules: [{ key: 'k', data: {} }] },
  'dataApi.addComment': { key: 'k', field: 'comment', id: 'comment1', text: 't' },
  'dataApi.editComment': { key: 'k', field: 'comment', id: 'comment1', text: 't', was: 'w' },
  'dataApi.removeComment': { key: 'k', field: 'comment', id: 'comment1' },
  'dataApi.confirmReload': { watermark: '0' },
  'dataApi.reload': { partial: false },
  'downloads.ticket': { path: '/api/kapsule/export/kapsule?kapsuleId=x' },
};

const hostile: unknown[] = [
  { $ne: 1 },
  { toString: 'x' },
  [['x']],
  [{ length: 1e9 }],
  'nul\u0000inside',
  'half of a pair \ud800',
  'x'.repeat(300_000),
  1e308,
  -1,
  null,
  [null],
  [{ key: 'k', data: null }],
  [{ name: {}, type: 'text' }],
];

/** Conditions that name no field of the kapsule, or have values of another kind. */
const hostileWheres = [
  '{',
  '7',
  '{"field":"comment","is":"empty"}',
  '[{"field":"comment","is":"like","text":"x"}]',
  '[{"field":"nowhere","is":"empty"}]',
  '[{"field":"Comment","is":"empty"}]',
  '[{"field":"id","is":"empty"}]',
  '[{"field":"__proto__","is":"empty"}]',
  '[{"field":"k_user","is":"filled"}]',
  '[{"field":"data","is":"contains","text":"x"}]',
  '[{"field":{"$ne":1},"is":"empty"}]',
  '[{"field":"comment","is":"contains","text":{"$regex":"x"}}]',
  '[{"field":"comment","is":"contains","text":"a\\u0000b"}]',
  '[{"field":"comment","is":"contains","text":""}]',
  '[{"field":"comment","is":"between","from":1}]',
  '[{"field":"amount","is":"contains","text":"1"}]',
  '[{"field":"amount","is":"between"}]',
  '[{"field":"amount","is":"between","from":"1 OR 1=1"}]',
  '[{"field":"amount","is":"between","from":"2026-01-01"}]',
  '[{"field":"amount","is":"between","to":1e999}]',
]
  .map((where) => `where=${encodeURIComponent(where)}`)
  .concat('where=[]&where=[]', 'sort=field:', 'sort=field:nowhere', 'sort=-field:k_user', 'sort=field:id');

describe('hostile input about kapsules and granules', () => {
  const shared = appOfFile();

  it('covers every form', () => {
    const withBody = all.filter(({ route }) => route.body).map(({ name }) => name);
    expect(Object.keys(forms).toSorted()).toEqual(withBody.toSorted());
  });

  it('in any field of any form is refused with 400, and nothing changes', async () => {
    const { app, admin } = shared;
    const kapsule = await addKapsule(app.store, 'Sales');
    await addGranules(app.store, kapsule, 3);
    const before = await app.store.audit.all();
    const worse: string[] = [];
    let turn = 0;
    for (const { name, route } of all.filter(({ route }) => route.body))
      for (const field of Object.keys(forms[name] ?? {}))
        for (const value of inTurn(hostile, turn++, 2)) {
          // Null asks for no approval.
          if (field === 'approval' && value === null) continue;
          const body = { ...forms[name], [field]: value };
          const path = route.path.replace(/:\w+/g, kapsule.id);
          const { status } = await admin.call(route.method, path, { body });
          if (status !== 400) worse.push(`${name} ${field} ${JSON.stringify(value).slice(0, 40)} ${status}`);
        }
    expect(worse).toEqual([]);
    expect(await app.store.audit.all()).toEqual(before);
    expect((await app.store.granules.counts(kapsule.id)).total).toBe(3);
  });

  it('as an id in a path finds nothing', async () => {
    const { admin } = shared;
    const queries: Record<string, string> = {
      'granules.export': '?format=csv',
      'dataApi.thread': '?key=1&field=talk',
    };
    const ids = [':id', '*', 'null', 'undefined', '0', '..%2f..%2fetc', "'%20OR%201=1--", '%F0%9F%92%A5'];
    for (const { name, route } of all.filter(({ route }) => route.params && !route.files))
      for (const id of ids) {
        const query = queries[name] ?? '';
        const { status } = await admin.call(route.method, route.path.replace(/:\w+/g, id) + query, {
          body: forms[name],
        });
        expect([name, id, status]).toEqual([name, id, 404]);
      }
  });

  it('in a query is refused', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Stock');
    for (const query of [
      'q=a&q=b',
      'page=9007199254740993',
      'page=1e999',
      'size=NaN',
      'sort=key&sort=user',
      ...hostileWheres,
    ])
      expect([query, (await admin.get(`/api/kapsule/${id}/sql/read/internal?${query}`)).status]).toEqual([
        query,
        400,
      ]);
    const many = JSON.stringify(Array.from({ length: 11 }, () => ({ field: 'comment', is: 'empty' })));
    const tooMany = `where=${encodeURIComponent(many)}`;
    expect((await admin.get(`/api/kapsule/${id}/sql/read/internal?${tooMany}`)).status).toBe(413);
    expect((await admin.get(`/api/kapsule/export/kapsule?kapsuleId=a&kapsuleId=b`)).status).toBe(400);
    expect(app.logLines.filter((line) => line.includes('request failed'))).toEqual([]);
  });
});
