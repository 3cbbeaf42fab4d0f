import type { KaptainApi } from '@kaptain/contract';

/** The only allowed origin. */
export const ALLOWED_PAGE = 'https://hub.example.com';

/** The callers, in the order of the columns below. */
export const actors = {
  nobody: 'no credential at all',
  USER: 'a USER without a group',
  reader: 'a USER whose group grants READ',
  deleter: 'a USER whose group grants READ and DELETE',
  owner: 'a USER who may create kapsules and owns one',
  ADMIN: 'an ADMIN',
  admin: 'the first admin',
  key: 'an API key that may delete granules',
  revoked: 'the token of a session that has ended',
  extension: 'a token of the extension for the kapsule of a user whose group grants READ and DELETE',
} as const;
export type ActorName = keyof typeof actors;
export const actorNames = Object.keys(actors) as ActorName[];

/** The relation between the caller and the object. */
export const relations = {
  any: 'the call has no object',
  own: 'oneself, or what one made or belongs to; for kapsules the one of the owner, shared with the two groups',
  foreign: 'of somebody else, in nobody’s group',
  missing: 'does not exist',
} as const;
export type Relation = keyof typeof relations;

/** One status per actor. */
type Row = string;
export type Rows = { any: Row } | { own: Row; foreign: Row; missing: Row };

const everyone = { any: '200 200 200 200 200 200 200 200 200 200' };
const loggedIn = { any: '401 200 200 200 200 200 200 403 401 403' };
const admins = { any: '401 403 403 403 403 200 200 403 401 403' };
/** For calls whose only object does not exist in the test. */
const adminsInVain = { any: '401 403 403 403 403 404 404 403 401 403' };
const creators = { any: '401 403 403 403 200 200 200 403 401 403' };

const managed = {
  own: '401 403 403 403 403 200 200 403 401 403',
  foreign: '401 403 403 403 403 200 200 403 401 403',
  missing: '401 403 403 403 403 404 404 403 401 403',
};
const readable = {
  own: '401 404 200 200 200 200 200 403 401 403',
  foreign: '401 404 404 404 404 200 200 403 401 403',
  missing: '401 404 404 404 404 404 404 403 401 403',
};
const writable = {
  own: '401 404 403 200 200 200 200 403 401 403',
  foreign: '401 404 404 404 404 200 200 403 401 403',
  missing: '401 404 404 404 404 404 404 403 401 403',
};
/** For the owner and ADMINs. */
const restorable = {
  own: '401 404 404 404 200 200 200 403 401 403',
  foreign: '401 404 404 404 404 200 200 403 401 403',
  missing: '401 404 404 404 404 404 404 403 401 403',
};
/** A caller who may not read a kapsule gets the same answer as for a missing one. */
const deletable = {
  own: '401 403 403 200 200 200 200 403 401 403',
  foreign: '401 403 403 403 403 200 200 403 401 403',
  missing: '401 403 403 403 403 404 404 403 401 403',
};
/** Like the two above, also with an API key that may delete. */
const writableOrByKey = {
  own: '401 404 403 200 200 200 200 200 401 403',
  foreign: '401 404 404 404 404 200 200 200 401 403',
  missing: '401 404 404 404 404 404 404 404 401 403',
};
const deletableByKey = {
  own: '401 403 403 200 200 200 200 200 401 403',
  foreign: '401 403 403 403 403 200 200 200 401 403',
  missing: '401 403 403 403 403 404 404 404 401 403',
};
const readableByKey = {
  own: '401 404 200 200 200 200 200 200 401 200',
  foreign: '401 404 404 404 404 200 200 200 401 403',
  missing: '401 404 404 404 404 404 404 404 401 403',
};
const writableByKey = {
  own: '401 404 403 200 200 200 200 200 401 200',
  foreign: '401 404 404 404 404 200 200 200 401 403',
  missing: '401 404 404 404 404 404 404 404 401 403',
};

/** For the user who started the run and ADMINs. */
const ownRun = {
  own: '401 200 200 200 200 200 200 403 401 403',
  foreign: '401 404 404 404 404 200 200 403 401 403',
  missing: '401 404 404 404 404 404 404 403 401 403',
};
const readableOnSheet = {
  own: '401 404 200 200 200 200 200 403 401 200',
  foreign: '401 404 404 404 404 200 200 403 401 403',
  missing: '401 404 404 404 404 404 404 403 401 403',
};

type Matrix = { [Noun in keyof KaptainApi]: { [Name in keyof KaptainApi[Noun]]: Rows } };

/** Every call, every actor, every relation: a missing call does not compile. */
export const matrix: Matrix = {
  session: {
    login: everyone,
    // 403: no login waits for a code.
    secondFactor: { any: '403 403 403 403 403 403 403 403 403 403' },
    startPasskey: { any: '403 403 403 403 403 403 403 403 403 403' },
    options: everyone,
    // 404 and 403: there is no provider, and no sign-in that waits.
    startProvider: { any: '404 404 404 404 404 404 404 404 404 404' },
    finishProvider: { any: '403 403 403 403 403 403 403 403 403 403' },
    // 409 and 403: no session was opened by the provider.
    startProof: { any: '401 409 409 409 409 409 409 403 401 403' },
    finishProof: { any: '401 403 403 403 403 403 403 403 401 403' },
    logoutProvider: loggedIn,
    logout: { any: '401 204 204 204 204 204 204 403 401 403' },
    status: everyone,
    init: everyone,
  },
  about: { version: everyone, alive: everyone, ready: everyone },
  kapsules: {
    list: { any: '401 200 200 200 200 200 200 200 401 403' },
    get: readable,
    overview: readable,
    update: writable,
    remove: deletable,
    changeOwner: managed,
    // A group that grants DELETE does not let others in.
    setWriters: {
      own: '401 404 403 403 200 200 200 403 401 403',
      foreign: '401 404 404 404 404 200 200 403 401 403',
      missing: '401 404 404 404 404 404 404 403 401 403',
    },
    importMany: creators,
    importOne: writable,
    export: readable,
  },
  // A right by a group ends with the deletion of the kapsule.
  deletedKapsules: { list: loggedIn, restore: restorable, purge: restorable },
  granules: {
    list: readable,
    remove: deletableByKey,
    importQvd: writable,
    removeMatching: writableOrByKey,
    countMatching: readable,
    // 409: nothing is deleted in these kapsules.
    restoreMatching: {
      own: '401 403 403 403 403 409 409 403 401 403',
      foreign: '401 403 403 403 403 409 409 403 401 403',
      missing: managed.missing,
    },
    restore: managed,
    history: readableOnSheet,
    changesPerDay: readable,
    export: readable,
    events: readableOnSheet,
    ...{ checkFields: writable, misfits: readable, exportMisfits: readable },
  },
  views: {
    list: readable,
    save: readable,
    // 404: the caller has no such view.
    remove: {
      own: '401 404 404 404 404 404 404 403 401 403',
      foreign: '401 404 404 404 404 404 404 403 401 403',
      missing: readable.missing,
    },
  },
  dataApi: {
    createKapsule: { any: '401 403 403 403 200 200 200 200 401 403' },
    upsert: writableByKey,
    lookup: readableByKey,
    thread: writableByKey,
    addComment: writableByKey,
    editComment: writableByKey,
    removeComment: writableByKey,
    people: writableByKey,
    offeredValues: readableByKey,
    read: readableByKey,
    confirmReload: writableByKey,
    // 409: the kapsule has no app on the platform.
    reload: {
      own: '401 404 403 409 409 409 409 409 401 409',
      foreign: '401 404 404 404 404 409 409 409 401 403',
      missing: '401 404 404 404 404 404 404 404 401 403',
    },
    loadScript: readableByKey,
  },
  extension: {
    createCode: readable,
    // 403: the request names no page.
    createToken: { any: '403 403 403 403 403 403 403 403 403 403' },
    createTokenBySession: { any: '403 403 403 403 403 403 403 403 403 403' },
    createTokenByCloud: { any: '403 403 403 403 403 403 403 403 403 403' },
    renewToken: { any: '401 403 403 403 403 403 403 403 401 200' },
  },
  downloads: { ticket: loggedIn },
  apiKeys: { list: admins, generate: admins, create: admins, remove: managed },
  groups: {
    list: admins,
    create: admins,
    update: managed,
    remove: managed,
    findByUser: {
      own: '401 200 200 200 200 200 200 403 401 403',
      foreign: '401 403 403 403 403 200 200 403 401 403',
      missing: '401 403 403 403 403 404 404 403 401 403',
    },
  },
  users: {
    list: admins,
    create: admins,
    update: managed,
    unlock: {
      own: '401 403 403 403 403 403 200 403 401 403',
      foreign: '401 403 403 403 403 403 200 403 401 403',
      missing: '401 403 403 403 403 403 404 403 401 403',
    },
    remove: {
      own: '401 403 403 403 403 409 409 403 401 403',
      foreign: '401 403 403 403 403 200 200 403 401 403',
      missing: '401 403 403 403 403 404 404 403 401 403',
    },
    sessions: managed,
    endSessions: managed,
    // 404: the user has no such session.
    endSession: {
      own: '401 403 403 403 403 404 404 403 401 403',
      foreign: '401 403 403 403 403 404 404 403 401 403',
      missing: managed.missing,
    },
  },
  account: {
    changePassword: loggedIn,
    sessions: loggedIn,
    endSession: { any: '401 404 404 404 404 404 404 403 401 403' },
    endOtherSessions: loggedIn,
  },
  // 403, 404 and 409: nothing is being set up, and there is no second factor to change.
  secondFactor: {
    get: loggedIn,
    startTotp: loggedIn,
    confirmTotp: { any: '401 403 403 403 403 403 403 403 401 403' },
    removeTotp: { any: '401 409 409 409 409 409 409 403 401 403' },
    startPasskey: loggedIn,
    confirmPasskey: { any: '401 403 403 403 403 403 403 403 401 403' },
    renamePasskey: { any: '401 404 404 404 404 404 404 403 401 403' },
    removePasskey: { any: '401 404 404 404 404 404 404 403 401 403' },
    createRecoveryCodes: { any: '401 409 409 409 409 409 409 403 401 403' },
    startPasskeyProof: { any: '401 409 409 409 409 409 409 403 401 403' },
    prove: loggedIn,
  },
  audit: { list: admins, export: admins },
  logs: {
    list: loggedIn,
    failing: loggedIn,
    download: ownRun,
    content: ownRun,
  },
  jobs: {
    start: admins,
    rerun: managed,
    // 409: the run has ended.
    cancel: {
      own: '401 403 403 403 403 409 409 403 401 403',
      foreign: '401 403 403 403 403 409 409 403 401 403',
      missing: '401 403 403 403 403 404 404 403 401 403',
    },
    // 409: no platform is configured.
    apps: { any: '401 403 403 403 403 409 409 403 401 403' },
    schedules: admins,
    previewSchedule: admins,
    setSchedule: managed,
  },
  systemLogs: { list: admins, files: admins, content: admins, download: admins, tail: admins },
  status: { get: admins, supportBundle: admins, makeBackup: admins, downloadBackup: adminsInVain },
  settings: {
    get: admins,
    update: admins,
    hasFile: adminsInVain,
    restart: admins,
    importFile: admins,
    uploadServerPfx: admins,
    uploadServerPem: admins,
    uploadServerKey: admins,
    testConnection: admins,
    // 400: nothing is entered to sign in with.
    testSignIn: { any: '401 403 403 403 403 400 400 403 401 403' },
    state: admins,
    history: admins,
    difference: adminsInVain,
    returnTo: adminsInVain,
    exportAll: admins,
    previewImport: admins,
    importAll: admins,
  },
};
