import type { Api, KaptainApi, Route } from '@kaptain/contract';

/** Reasons for which a call yields neither a credential nor a right, and asks for no proof of identity. */
const reasons = {
  reads: 'It only reads, and answers no secret.',
  data: 'It changes or reads data of kapsules, which the caller may do already.',
  asksInside:
    'It asks an ADMIN for the proof itself, where a kapsule takes up columns that exist already, or gets another app.',
  takesAway: 'It only ends sessions of the caller.',
  proves:
    'It is itself a login or a proof of identity: it asks for a password, a second factor or the provider.',
  byProvider:
    'It opens a session that counts as proven from the time at which the provider says the person signed in, or not at all.',
  passwordInside:
    'Its body has the current password, and of an account with a second factor it always asks for the proof.',
  byToken: 'It has no session: the platform, a one-time code or a token of the extension is the proof.',
  checksInside: 'It asks for the proof that the download at its address needs.',
  onlyText: 'It answers a random text; only `apiKeys.create` makes a key of it.',
  ownLabel: 'It changes a name that only the caller sees.',
  runs: 'It runs or plans reloads with the rights of the service.',
  triesOut: 'It tries values out and stores nothing.',
} as const;
type Reason = keyof typeof reasons;

/** Whether a call may yield a credential or a right: reads that every logged-in user may make do not. */
export const canYield = ({ method, access }: Route): boolean =>
  method !== 'GET' || access.toLowerCase().includes('admin');

type CanYield<R extends Route> = R['method'] extends 'GET'
  ? R['access'] extends 'admin' | 'adminWithApiKeys' | 'firstAdmin'
    ? true
    : false
  : true;
type Decisions<A extends Api> = {
  [Noun in keyof A]: {
    [Name in keyof A[Noun] as CanYield<A[Noun][Name]> extends true ? Name : never]:
      | 'always'
      | 'ifAsked'
      | Reason;
  };
};

/** For every call whether it asks for a proof of identity, or why not: a missing call does not compile. */
export const proofs: Decisions<KaptainApi> = {
  session: {
    login: 'proves',
    secondFactor: 'proves',
    startPasskey: 'proves',
    startProvider: 'proves',
    finishProvider: 'byProvider',
    startProof: 'proves',
    finishProof: 'proves',
    logoutProvider: 'takesAway',
    logout: 'takesAway',
    init: 'proves',
  },
  about: {},
  kapsules: {
    remove: 'ifAsked',
    update: 'asksInside',
    changeOwner: 'ifAsked',
    setWriters: 'ifAsked',
    setLocks: 'ifAsked',
    setApproval: 'ifAsked',
    importMany: 'asksInside',
    importOne: 'asksInside',
  },
  // The groups of a restored kapsule have their rights again.
  deletedKapsules: { restore: 'ifAsked', purge: 'ifAsked' },
  proposals: { fromQvd: 'triesOut' },
  granules: {
    remove: 'data',
    importQvd: 'data',
    removeMatching: 'data',
    restoreMatching: 'data',
    restore: 'data',
    checkFields: 'triesOut',
  },
  views: { save: 'ownLabel', remove: 'ownLabel' },
  approvals: { decide: 'data', withdraw: 'data' },
  dataApi: {
    createKapsule: 'asksInside',
    upsert: 'data',
    lookup: 'data',
    addComment: 'data',
    editComment: 'data',
    removeComment: 'data',
    confirmReload: 'data',
    reload: 'runs',
  },
  extension: {
    createCode: 'ifAsked',
    createToken: 'byToken',
    createTokenBySession: 'byToken',
    createTokenByCloud: 'byToken',
    renewToken: 'byToken',
  },
  downloads: { ticket: 'checksInside' },
  apiKeys: { list: 'reads', generate: 'onlyText', create: 'ifAsked', remove: 'ifAsked' },
  groups: { list: 'reads', authorities: 'reads', create: 'ifAsked', update: 'ifAsked', remove: 'ifAsked' },
  users: {
    list: 'reads',
    create: 'ifAsked',
    update: 'ifAsked',
    unlock: 'ifAsked',
    // Its kapsules may go to another user.
    remove: 'ifAsked',
    sessions: 'reads',
    endSessions: 'ifAsked',
    endSession: 'ifAsked',
  },
  account: {
    changePassword: 'passwordInside',
    endSession: 'takesAway',
    endOtherSessions: 'takesAway',
  },
  secondFactor: {
    startTotp: 'always',
    confirmTotp: 'always',
    removeTotp: 'always',
    startPasskey: 'always',
    confirmPasskey: 'always',
    renamePasskey: 'ownLabel',
    removePasskey: 'always',
    createRecoveryCodes: 'always',
    prove: 'proves',
    startPasskeyProof: 'proves',
  },
  audit: { list: 'reads', export: 'reads' },
  logs: {},
  jobs: {
    start: 'runs',
    rerun: 'runs',
    cancel: 'runs',
    apps: 'reads',
    schedules: 'reads',
    setSchedule: 'asksInside',
    previewSchedule: 'reads',
  },
  systemLogs: { list: 'reads', files: 'reads', content: 'reads', download: 'reads', tail: 'reads' },
  status: { get: 'reads', supportBundle: 'reads', makeBackup: 'ifAsked', downloadBackup: 'ifAsked' },
  settings: {
    get: 'reads',
    update: 'ifAsked',
    hasFile: 'reads',
    restart: 'ifAsked',
    importFile: 'ifAsked',
    uploadServerPfx: 'ifAsked',
    uploadServerPem: 'ifAsked',
    uploadServerKey: 'ifAsked',
    testConnection: 'triesOut',
    testSignIn: 'triesOut',
    state: 'reads',
    history: 'reads',
    difference: 'reads',
    returnTo: 'ifAsked',
    exportAll: 'ifAsked',
    previewImport: 'triesOut',
    importAll: 'ifAsked',
  },
};
