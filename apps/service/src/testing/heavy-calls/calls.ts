import { limits } from '@kaptain/contract';
import { multipart } from '../multipart.ts';
import {
  get,
  isWide,
  kapFile,
  manyMembers,
  page,
  qvdImport,
  qvdProposal,
  renamed,
  type Subject,
  send,
  structureOf,
  total,
  where,
} from './requests.ts';
import { answerOf, inBodies } from './service.ts';

interface HeavyCall {
  /** The call of the contract. */
  call: string;
  what?: string;
  /** Resolves when the answer has arrived whole. */
  run: (subject: Subject) => Promise<unknown>;
}

let made = 0;

/** Every call whose work grows with rows, fields or bytes, in the order in which it is tried. */
export const heavyCalls: HeavyCall[] = [
  {
    call: 'dataApi.upsert',
    what: 'as many rows as fit into one body',
    run: send(({ id, rows }) => ({
      method: 'PUT',
      path: `/api/kapsule/${id}/granules`,
      body: { granules: inBodies(rows).next().value },
    })),
  },
  {
    call: 'dataApi.upsert',
    what: 'a granule of 60,000 members',
    run: send(({ id }) => ({ method: 'PUT', path: `/api/kapsule/${id}/granules`, bytes: manyMembers })),
  },
  { call: 'granules.importQvd', what: 'a dry run', run: qvdImport('&dryRun=true') },
  { call: 'granules.importQvd', run: qvdImport('') },
  { call: 'proposals.fromQvd', run: qvdProposal },
  { call: 'granules.list', what: 'whole', run: get(({ id }) => `/api/kapsule/${id}/sql/read/internal`) },
  { call: 'granules.list', what: 'a page', run: page('') },
  { call: 'granules.list', what: 'a search without a hit', run: page('q=no-such-word') },
  {
    call: 'granules.list',
    what: 'ordered by a field',
    run: (subject) => page(`sort=field:${subject.shape.fields[0]?.name}`)(subject),
  },
  {
    call: 'granules.list',
    what: 'a condition',
    run: (subject) => page(where(subject, { is: 'contains', text: 'zz' }))(subject),
  },
  {
    call: 'granules.list',
    what: 'the last page',
    run: async (subject) => {
      const last = Math.max(1, Math.floor((await total(subject)) / 100));
      return get(({ id }) => `/api/kapsule/${id}/sql/read/internal?page=${last}&size=100`)(subject);
    },
  },
  {
    call: 'granules.countMatching',
    run: get((subject) => `/api/kapsule/${subject.id}/granules/count?${where(subject, { is: 'filled' })}`),
  },
  ...(['csv', 'qvd', 'json', 'ndjson'] as const).flatMap((format): HeavyCall[] => [
    {
      call: 'granules.export',
      what: format,
      run: get(({ id }) => `/api/kapsule/${id}/export?format=${format}`),
    },
    {
      call: 'dataApi.read',
      what: format,
      run: get(({ id }) => `/api/kapsule/${id}/sql/read?since=0&deletions=true&format=${format}`),
    },
  ]),
  {
    call: 'granules.checkFields',
    run: send((subject) => ({
      method: 'POST',
      path: `/api/kapsule/${subject.id}/fields/check`,
      body: { fields: subject.shape.fields.map((field) => ({ ...field, required: true })) },
    })),
  },
  { call: 'granules.misfits', run: get(({ id }) => `/api/kapsule/${id}/misfits`) },
  { call: 'granules.exportMisfits', run: get(({ id }) => `/api/kapsule/${id}/misfits/export`) },
  {
    call: 'dataApi.lookup',
    run: send(({ id, rows }) => ({
      method: 'POST',
      path: `/api/kapsule/${id}/granules/lookup`,
      body: { keys: rows.slice(0, limits.keysPerLookup).map(({ key }) => key) },
    })),
  },
  {
    call: 'granules.history',
    run: get(({ id, granuleIds }) => `/api/kapsule/${id}/granules/${granuleIds[0]}/history`),
  },
  { call: 'granules.changesPerDay', run: get(({ id }) => `/api/kapsule/${id}/changes?days=366`) },
  { call: 'dataApi.loadScript', run: get(({ id }) => `/api/kapsule/${id}/loadscript`) },
  {
    call: 'dataApi.confirmReload',
    run: send(({ id, watermark }) => ({
      method: 'POST',
      path: `/api/kapsule/${id}/reloaded`,
      body: { watermark },
    })),
  },
  {
    call: 'granules.remove',
    run: send(({ granuleIds }) => ({
      method: 'DELETE',
      path: '/api/kapsule/sql/granules',
      body: { granuleIds },
    })),
  },
  {
    call: 'granules.restore',
    run: send(
      ({ id, granuleIds }) => ({
        method: 'POST',
        path: `/api/kapsule/${id}/granules/restore`,
        body: { granuleIds },
      }),
      'admin',
    ),
  },
  {
    call: 'granules.removeMatching',
    run: async (subject) => {
      const expected = await total(subject);
      return send(({ id }) => ({
        method: 'DELETE',
        path: `/api/kapsule/${id}/granules`,
        body: { expected },
      }))(subject);
    },
  },
  {
    call: 'granules.list',
    what: 'deleted ones',
    run: get(({ id }) => `/api/kapsule/${id}/sql/read/internal?page=1&size=100&deleted=true`, 'admin'),
  },
  {
    call: 'granules.restoreMatching',
    run: async (subject) => {
      const path = `/api/kapsule/${subject.id}/granules/count?deleted=true`;
      const expected = Number((await answerOf(subject.service.admin, { method: 'GET', path }))['total']);
      return send(
        ({ id }) => ({
          method: 'POST',
          path: `/api/kapsule/${id}/granules/restore-matching`,
          body: { expected },
        }),
        'admin',
      )(subject);
    },
  },
  { call: 'kapsules.get', run: get(({ id }) => `/api/kapsule/${id}`) },
  { call: 'kapsules.export', run: get(({ id }) => `/api/kapsule/export/kapsule?kapsuleId=${id}`) },
  {
    call: 'kapsules.update',
    run: send((subject) => ({
      method: 'PUT',
      path: `/api/kapsule/${subject.id}`,
      body: structureOf(subject, subject.shape.name),
    })),
  },
  {
    call: 'kapsules.update',
    what: 'every field renamed',
    run: send((subject) => ({
      method: 'PUT',
      path: `/api/kapsule/${subject.id}`,
      body: renamed(structureOf(subject, subject.shape.name)),
    })),
  },
  {
    call: 'kapsules.importOne',
    run: send((subject) => ({
      method: 'POST',
      path: `/api/kapsule/import/kapsule/${subject.id}`,
      bytes: multipart([{ name: 'one.kap', content: kapFile(subject, subject.shape.name) }]),
    })),
  },
  {
    call: 'kapsules.importMany',
    run: send((subject) => ({
      method: 'POST',
      path: '/api/kapsule/import/kapsules',
      bytes: multipart(
        Array.from({ length: isWide(subject) ? limits.kapFiles : 3 }, () => {
          const name = `imported ${++made}`;
          return { name: `${made}.kap`, content: kapFile(subject, name) };
        }),
      ),
    })),
  },
  { call: 'kapsules.list', run: get(() => '/api/kapsule', 'admin') },
  {
    call: 'views.save',
    run: send(({ id }) => ({
      method: 'PUT',
      path: `/api/kapsule/${id}/views`,
      body: { name: `view ${++made}`, query: `?q=${'x'.repeat(7000)}` },
    })),
  },
  { call: 'views.list', run: get(({ id }) => `/api/kapsule/${id}/views`) },
  { call: 'audit.list', run: get(() => '/api/audit?limit=200', 'admin') },
  { call: 'audit.list', what: 'a search', run: get(() => '/api/audit?limit=200&q=no-such-word', 'admin') },
  { call: 'audit.export', run: get(() => '/api/audit/export', 'admin') },
  { call: 'systemLogs.content', run: get(() => '/api/log/sys/sys/system-current.log/content', 'admin') },
  { call: 'systemLogs.tail', run: get(() => '/api/log/sys/sys/system-current.log/tail', 'admin') },
  { call: 'systemLogs.download', run: get(() => '/api/log/sys/sys/system-current.log/download', 'admin') },
  { call: 'status.get', run: get(() => '/api/status', 'admin') },
  { call: 'status.supportBundle', run: get(() => '/api/status/support-bundle', 'admin') },
  {
    call: 'status.downloadBackup',
    run: async (subject) => {
      const { file } = await answerOf(subject.service.admin, { method: 'POST', path: '/api/status/backup' });
      return get(() => `/api/status/backup/${file}`, 'admin')(subject);
    },
  },
  {
    call: 'kapsules.remove',
    run: send(({ id }) => ({
      method: 'DELETE',
      path: '/api/kapsule/sql',
      body: { kapsuleIds: [id], deleteTable: false },
    })),
  },
  { call: 'deletedKapsules.list', run: get(() => '/api/kapsule/deleted') },
  {
    call: 'deletedKapsules.restore',
    run: send(({ id }) => ({ method: 'POST', path: `/api/kapsule/deleted/${id}/restore`, body: {} })),
  },
];
