import type { KaptainApi } from './api.ts';
import type { CallInput, Route, Sent } from './kit/route.ts';

interface Example<R extends Route> {
  body?: CallInput<R> extends { body: infer Body } ? Body : never;
  answer?: Sent<R>;
}
type Examples = {
  [Noun in keyof KaptainApi]?: { [Name in keyof KaptainApi[Noun]]?: Example<KaptainApi[Noun][Name] & Route> };
};

const id = '66f1a2b3c4d5e6f708192a3b';
const granuleIds = ['66f1a2b3c4d5e6f708192a40', '66f1a2b3c4d5e6f708192a41'];
const at = '2026-11-16T08:30:00.000Z';
const thread = '2026-11-16T08:30:00Z CORP\\jane [k3f9x2a1]\n  Who has called them? @[CORP\\jane]';
const group = {
  groupname: 'Sales',
  authority: ['READ' as const, 'WRITE' as const],
  kapsules: [{ kapsulecode: id, kapsulename: 'Orders' }],
  users: [{ userid: '66f1a2b3c4d5e6f708192a50', username: 'jane' }],
};
const person = {
  role: 'USER' as const,
  groups: [{ id: '66f1a2b3c4d5e6f708192a60', groupname: 'Sales' }],
  qlikId: 'CORP\\jane',
  isCreate: false,
};

/** Requests and answers that the documentation shows. They are not part of the routes, so that no browser loads them. */
export const examples: Examples = {
  session: {
    login: {
      body: { username: 'jane', password: 'correct horse battery' },
      answer: {
        accessToken: 'q83vEjRWeJASNFZ4kBI0VniQEjRWeJASNFZ4kBI0Vng',
        user: { userId: '66f1a2b3c4d5e6f708192a50', username: 'jane', role: 'USER' },
      },
    },
    status: { answer: { status: 'initialized' } },
    init: {
      body: { username: 'admin', password: 'correct horse battery' },
      answer: { status: 'initialized' },
    },
  },
  kapsules: {
    remove: { body: { kapsuleIds: [id], deleteTable: false }, answer: { deleted: 1 } },
    changeOwner: { body: { kapsuleIds: [id], userId: '66f1a2b3c4d5e6f708192a50' } },
  },
  granules: {
    remove: { body: { granuleIds }, answer: { deleted: 2 } },
    restore: { body: { granuleIds } },
    removeMatching: { body: { q: 'late', expected: 12 } },
    restoreMatching: { body: { q: 'late', expected: 12 } },
    checkFields: {
      body: { fields: [{ name: 'Amount', type: 'number', min: 0 }] },
      answer: {
        granules: 1,
        count: 1,
        rules: [{ field: 'Amount', rule: 'min', count: 1 }],
        first: [
          { key: 'A-1', field: 'Amount', rule: 'min', value: -5, message: 'Amount must be at least 0!' },
        ],
      },
    },
    misfits: {
      answer: {
        granules: 1,
        count: 1,
        rules: [{ field: 'Amount', rule: 'type', count: 1 }],
        rows: [
          {
            _id: granuleIds[0] ?? '',
            key: 'A-1',
            version: 3,
            refusals: [
              { field: 'Amount', rule: 'type', value: 'NaN!', message: 'Amount is not a valid number!' },
            ],
          },
        ],
        isCut: false,
      },
    },
  },
  dataApi: {
    createKapsule: {
      body: {
        name: 'Orders',
        keyField: 'OrderID',
        fields: [
          { name: 'Comment', type: 'text' },
          { name: 'Amount', type: 'number' },
        ],
      },
    },
    upsert: {
      body: { granules: [{ key: 'A-1', data: { Comment: 'Confirmed', Amount: 12.5 } }] },
      answer: { upserted: 1, granules: [{ _id: granuleIds[0] ?? '', key: 'A-1', version: 1 }] },
    },
    lookup: {
      body: { keys: ['A-1', 'A-2'] },
      answer: {
        data: [
          {
            _id: granuleIds[0] ?? '',
            key: 'A-1',
            user: 'UserDirectory=CORP; UserId=jane',
            data: { Comment: 'Confirmed', Amount: 12.5 },
            reloaded: false,
            createdAt: at,
            updatedAt: at,
            version: 1,
          },
          null,
        ],
        mayWrite: true,
      },
    },
    addComment: {
      body: { key: 'A-1', field: 'Discussion', id: 'k3f9x2a1', text: 'Who has called them? @[CORP\\jane]' },
      answer: { _id: granuleIds[0] ?? '', key: 'A-1', version: 2, thread },
    },
    editComment: {
      body: { key: 'A-1', field: 'Discussion', id: 'k3f9x2a1', text: 'Called.', was: 'Who has called them?' },
    },
    removeComment: { body: { key: 'A-1', field: 'Discussion', id: 'k3f9x2a1' } },
    people: { answer: { people: ['CORP\\jane'] } },
    confirmReload: { body: { watermark: '42-q83vEjRWeJASNFZ4' }, answer: { reloaded: 1 } },
    reload: { body: { partial: false } },
  },
  downloads: { ticket: { body: { path: `/api/kapsule/${id}/export?format=csv` } } },
  apiKeys: {
    create: {
      body: {
        name: 'Load scripts',
        apikey: 'kpt_q83vEjRWeJASNFZ4kBI0VniQEjRWeJASNFZ4kBI0Vng',
        authority: 'READ',
      },
    },
  },
  groups: {
    create: { body: group },
    update: { body: { ...group, groupId: '66f1a2b3c4d5e6f708192a60' } },
  },
  users: {
    create: { body: { ...person, username: 'jane', password: 'correct horse battery' } },
    update: { body: { ...person, userId: '66f1a2b3c4d5e6f708192a50' } },
  },
  account: {
    changePassword: {
      body: { currentPassword: 'correct horse battery', newPassword: 'staple of a better horse' },
    },
  },
  jobs: {
    start: { body: { appId: '8b1d2c3e-4f50-4617-8293-a4b5c6d7e8f9' } },
    setSchedule: { body: { appId: '8b1d2c3e-4f50-4617-8293-a4b5c6d7e8f9', cron: '30 5 * * 1-5' } },
  },
  settings: {
    testConnection: { body: { target: 'platform', settings: { settings: { qlikHost: 'DESKTOP' } } } },
  },
};
