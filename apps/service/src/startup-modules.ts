/** The modules that `start` needs, loaded with one import while the database opens. */
export { buildApp, standardAddressRules } from './app.ts';
export { CertificateFiles } from './base/config/settings/certificate-files.ts';
export { checkPaths } from './base/config/settings/check-paths.ts';
export { tlsOptions } from './base/config/settings/tls.ts';
export { startNotices } from './base/config/start-notices.ts';
export { createLogs, logFolderIn } from './base/logging/create-logs.ts';
export { logTrail } from './base/logging/log-trail.ts';
export { standardOutput } from './base/logging/standard-output.ts';
export { pepperIn } from './base/secrets/pepper.ts';
export { isOtherPepper, watchPepper } from './base/secrets/pepper-mark.ts';
export { createPasswords } from './identity/passwords/passwords.ts';
export { startBackups } from './operations/backups/scheduled-backups.ts';
export { joinShared } from './operations/instances/join-shared.ts';
export { shareSettings } from './operations/instances/share-settings.ts';
export { completeTrail, markApplied, reject } from './operations/settings/trail.ts';
export { startRunner } from './platform/jobs/runner.ts';
