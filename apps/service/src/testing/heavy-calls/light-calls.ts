const own = 'The caller’s own account, sessions and factors: a few records.';
const oneRecord = 'One small record.';
const small = 'Constant work.';
const settings = 'The settings, at most 256 KiB, for ADMINs.';
const certificate = 'One certificate file, at most 1 MiB.';
const accounts = 'A record for each account, read with turns for others.';
const thread = 'One granule, at most 256 KiB, and the names of all accounts, compared with turns for others.';

/** The calls whose work doesn't grow with the rows, fields or bytes of a kapsule, with the reason. */
export const lightCalls: Record<string, string> = {
  'session.*': own,
  'account.*': own,
  'secondFactor.*': own,
  'extension.*': own,
  'downloads.*': small,
  'about.*': small,
  'apiKeys.*': oneRecord,
  'groups.*': accounts,
  'users.*': accounts,
  'settings.*': settings,
  'settings.importFile': certificate,
  'settings.uploadServerPfx': certificate,
  'settings.uploadServerPem': certificate,
  'settings.uploadServerKey': certificate,
  'logs.*': 'At most 500 runs, and one script log that is streamed.',
  'jobs.*': oneRecord,
  'systemLogs.list': small,
  'systemLogs.files': small,
  'status.makeBackup': 'Tried with its download.',
  'kapsules.overview': oneRecord,
  'kapsules.changeOwner': 'At most 1,000 records, for ADMINs.',
  'kapsules.setWriters': oneRecord,
  'kapsules.setLocks': 'At most 1 MiB of locks, which are compared with 1,000 fields once.',
  'kapsules.setApproval': oneRecord,
  'approvals.*': 'At most 500 records, read and written a few at a time.',
  'views.remove': oneRecord,
  'granules.events': 'Counts only.',
  'dataApi.createKapsule': 'As kapsules.importMany with one file.',
  'dataApi.reload': oneRecord,
  'dataApi.thread': thread,
  'dataApi.addComment': thread,
  'dataApi.editComment': thread,
  'dataApi.removeComment': thread,
  'dataApi.people': accounts,
  'dataApi.fields': oneRecord,
  'dataApi.offeredValues': 'At most 100 values of at most 20,000 records, which are cached.',
  'deletedKapsules.purge': 'Its rows are removed in small steps after the answer.',
};
