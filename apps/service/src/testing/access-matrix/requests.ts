import type { KaptainApi } from '@kaptain/contract';
import { QvdWriter } from '@kaptain/qvd';
import { testCertificate } from '../certificates.ts';
import { PASSWORD } from '../test-app.ts';
import { ALLOWED_PAGE } from './rows.ts';
import { type ActorInWorld, COMMENT, type Kind } from './world.ts';

export interface ValidRequest {
  /** The kind of object that the id names; undefined when the call has no object. */
  kind?: Kind;
  params?: (id: string, granuleId: string) => string[];
  query?: (id: string) => string;
  body?: (id: string, actor: ActorInWorld, granuleId: string) => unknown;
  /** A file to upload under this field. */
  file?: { field: string; name: string; content: string };
}

type Requests = { [Noun in keyof KaptainApi]: { [Name in keyof KaptainApi[Noun]]: ValidRequest } };

let count = 0;
const unique = (word: string) => `${word} of request ${++count}`;

const plain: ValidRequest = {};
const inPath = (kind: Kind): ValidRequest => ({ kind, params: (id) => [id] });
const user = () => ({ role: 'USER', groups: [], qlikId: unique('platform user'), isCreate: false });
const group = () => ({ groupname: unique('group'), authority: ['READ'], kapsules: [], users: [] });
const structure = () => ({
  name: unique('kapsule'),
  keyField: 'id',
  fields: [
    { name: 'comment', type: 'text' },
    { name: 'talk', type: 'thread' },
  ],
});
const kap = () => JSON.stringify({ format: 'kap', version: 1, kapsule: structure() });
/** All its bytes are ASCII. */
function qvd(): string {
  const writer = new QvdWriter({ tableName: 't', columns: [{ name: 'id' }, { name: 'comment' }] });
  writer.addRow(['1', 'x']);
  return [...writer.chunks()].map((chunk) => Buffer.from(chunk).toString('latin1')).join('');
}
const comment = { key: '1', field: 'talk', id: COMMENT };
const logFile: ValidRequest = { params: () => ['sys', 'system-current.log'] };
const transfer = () => ({
  file: { format: 'kaptain-configuration', version: 1, exportedAt: '2026-01-01', settings: { settings: {} } },
});
const certificate = (name: string): ValidRequest => ({
  file: { field: 'file', name, content: testCertificate(name).toString('latin1') },
});

/** Has the form of a passkey; no challenge was made for it. */
const newPasskey = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'e30', attestationObject: 'AAAA' },
};

/** One valid request for every call, so that only the caller and the object decide the answer. */
export const requests: Requests = {
  session: {
    login: { body: (_, { username }) => ({ username, password: PASSWORD }) },
    secondFactor: { body: () => ({ challenge: 'x'.repeat(43), code: '123456' }) },
    startPasskey: { body: () => ({ challenge: 'x'.repeat(43) }) },
    options: plain,
    startProvider: { body: () => ({ to: 'console' }) },
    finishProvider: { body: () => ({ code: 'x'.repeat(43), verifier: 'x'.repeat(43) }) },
    startProof: plain,
    finishProof: { body: () => ({ code: 'x'.repeat(43), verifier: 'x'.repeat(43) }) },
    logoutProvider: plain,
    logout: plain,
    status: plain,
    init: { body: () => ({ username: 'admin', password: PASSWORD }) },
  },
  about: { version: plain, alive: plain, ready: plain },
  kapsules: {
    list: plain,
    get: inPath('kapsule'),
    overview: inPath('kapsule'),
    update: { ...inPath('kapsule'), body: () => ({ table: '', ...structure() }) },
    remove: { kind: 'kapsule', body: (id) => ({ kapsuleIds: [id], deleteTable: false }) },
    changeOwner: { kind: 'kapsule', body: (id, { userId }) => ({ kapsuleIds: [id], userId }) },
    setWriters: { ...inPath('kapsule'), body: () => ({ writers: 'READ' }) },
    setLocks: { ...inPath('kapsule'), body: () => ({ locks: [] }) },
    setApproval: { ...inPath('kapsule'), body: () => ({ approval: null }) },
    importMany: { file: { field: 'files', name: 'a.kap', content: kap() } },
    importOne: { ...inPath('kapsule'), file: { field: 'files', name: 'a.kap', content: kap() } },
    export: { kind: 'kapsule', query: (id) => `kapsuleId=${id}` },
  },
  deletedKapsules: {
    list: plain,
    restore: { ...inPath('deletedKapsule'), body: () => ({}) },
    purge: inPath('deletedKapsule'),
  },
  proposals: { fromQvd: { file: { field: 'files', name: 'a.qvd', content: qvd() } } },
  granules: {
    list: inPath('kapsule'),
    remove: { kind: 'kapsule', body: (_, __, granuleId) => ({ granuleIds: [granuleId] }) },
    importQvd: {
      kind: 'kapsule',
      query: (id) => `kapsuleId=${id}`,
      file: { field: 'files[]', name: 'a.qvd', content: qvd() },
    },
    removeMatching: { ...inPath('kapsule'), body: () => ({ expected: 1 }) },
    countMatching: { ...inPath('kapsule'), query: () => 'q=x&reloaded=false' },
    restoreMatching: { ...inPath('kapsule'), body: () => ({ expected: 1 }) },
    restore: { ...inPath('kapsule'), body: (_, __, granuleId) => ({ granuleIds: [granuleId] }) },
    history: { kind: 'kapsule', params: (id, granuleId) => [id, granuleId] },
    changesPerDay: inPath('kapsule'),
    export: { ...inPath('kapsule'), query: () => 'format=csv' },
    events: inPath('kapsule'),
    checkFields: { ...inPath('kapsule'), body: () => ({ fields: structure().fields }) },
    misfits: inPath('kapsule'),
    exportMisfits: inPath('kapsule'),
  },
  views: {
    list: inPath('kapsule'),
    save: { ...inPath('kapsule'), body: () => ({ name: unique('view'), query: '?q=x' }) },
    remove: { kind: 'kapsule', params: (id, granuleId) => [id, granuleId] },
  },
  approvals: {
    list: inPath('kapsule'),
    waiting: plain,
    own: plain,
    decide: {
      ...inPath('kapsule'),
      body: () => ({ decision: 'accept', proposals: [{ _id: 'x', version: 1 }] }),
    },
    withdraw: { ...inPath('kapsule'), body: () => ({ proposalIds: ['x'] }) },
  },
  dataApi: {
    createKapsule: { body: structure },
    upsert: { ...inPath('kapsule'), body: () => ({ granules: [{ key: '1', data: { comment: 'x' } }] }) },
    lookup: { ...inPath('kapsule'), body: () => ({ keys: ['1', '2'] }) },
    thread: { ...inPath('kapsule'), query: () => 'key=1&field=talk' },
    addComment: { ...inPath('kapsule'), body: () => ({ ...comment, id: 'another1', text: 'y' }) },
    editComment: { ...inPath('kapsule'), body: () => ({ ...comment, text: 'y', was: 'x' }) },
    removeComment: { ...inPath('kapsule'), body: () => comment },
    people: { ...inPath('kapsule'), query: () => 'q=x' },
    offeredValues: { ...inPath('kapsule'), query: () => 'field=comment' },
    fields: inPath('kapsule'),
    read: inPath('kapsule'),
    confirmReload: { ...inPath('kapsule'), body: () => ({ watermark: '0' }) },
    reload: { ...inPath('kapsule'), body: () => ({}) },
    loadScript: inPath('kapsule'),
  },
  extension: {
    createCode: {
      kind: 'kapsule',
      body: (id) => ({ origin: ALLOWED_PAGE, kapsuleIds: [id], challenge: 'c'.repeat(43) }),
    },
    createToken: { body: () => ({ code: 'c'.repeat(43), verifier: 'v'.repeat(43) }) },
    createTokenBySession: { body: () => ({ kapsuleIds: ['x'] }) },
    createTokenByCloud: { body: () => ({ kapsuleIds: ['x'], accessToken: 't' }) },
    renewToken: plain,
  },
  downloads: { ticket: { body: () => ({ path: '/api/kapsule/export/kapsule?kapsuleId=x' }) } },
  apiKeys: {
    list: plain,
    generate: plain,
    create: { body: () => ({ name: 'k', apikey: `kpt_${++count}_abcdefghijklmnopqrstuvwxyz0123456789` }) },
    remove: inPath('apiKey'),
  },
  groups: {
    list: plain,
    authorities: plain,
    create: { body: group },
    update: { ...inPath('group'), body: (groupId) => ({ ...group(), groupId }) },
    remove: inPath('group'),
    findByUser: inPath('user'),
  },
  users: {
    list: plain,
    create: { body: () => ({ ...user(), username: unique('user'), password: PASSWORD }) },
    update: {
      kind: 'user',
      // ADMINs keep their role here, because another rule decides whether they may lose it.
      body: (userId, actor) => ({ ...user(), userId, role: userId === actor.userId ? 'ADMIN' : 'USER' }),
    },
    unlock: inPath('user'),
    remove: inPath('user'),
    sessions: inPath('user'),
    endSessions: inPath('user'),
    endSession: { kind: 'user', params: (id) => [id, 'f'.repeat(24)] },
  },
  account: {
    changePassword: { body: () => ({ currentPassword: PASSWORD, newPassword: unique('password') }) },
    sessions: plain,
    endSession: { params: () => ['f'.repeat(24)] },
    endOtherSessions: plain,
  },
  secondFactor: {
    get: plain,
    startTotp: plain,
    confirmTotp: { body: () => ({ setup: 'x'.repeat(43), code: '123456' }) },
    removeTotp: plain,
    startPasskey: plain,
    confirmPasskey: { body: () => ({ name: 'Phone', passkey: newPasskey }) },
    renamePasskey: { params: () => ['f'.repeat(24)], body: () => ({ name: 'Phone' }) },
    removePasskey: { params: () => ['f'.repeat(24)] },
    createRecoveryCodes: plain,
    prove: { body: () => ({ password: PASSWORD }) },
    startPasskeyProof: plain,
  },
  audit: { list: plain, export: plain },
  logs: { list: plain, failing: plain, download: inPath('job'), content: inPath('job') },
  jobs: {
    start: { body: () => ({ appId: 'a1' }) },
    rerun: inPath('job'),
    cancel: inPath('job'),
    apps: plain,
    schedules: plain,
    previewSchedule: { query: () => 'cron=0+5+*+*+*' },
    setSchedule: { ...inPath('kapsule'), body: () => ({ appId: 'a1', cron: '0 5 * * *' }) },
  },
  systemLogs: { list: plain, files: plain, content: logFile, download: logFile, tail: logFile },
  status: {
    get: plain,
    supportBundle: plain,
    makeBackup: plain,
    downloadBackup: { params: () => ['kaptain.backup'] },
  },
  settings: {
    get: plain,
    update: { body: () => ({ settings: {} }) },
    hasFile: { params: () => ['server.pem'] },
    restart: plain,
    importFile: certificate('server.pem'),
    uploadServerPfx: certificate('server.pfx'),
    uploadServerPem: certificate('server.pem'),
    uploadServerKey: certificate('server_key.pem'),
    testConnection: { body: () => ({ target: 'platform', settings: { settings: { qlikHost: 'DESKTOP' } } }) },
    testSignIn: { body: () => ({ settings: {} }) },
    state: plain,
    history: plain,
    difference: { params: () => ['1'] },
    returnTo: { params: () => ['1'] },
    exportAll: { body: () => ({}) },
    previewImport: { body: transfer },
    importAll: { body: transfer },
  },
};
