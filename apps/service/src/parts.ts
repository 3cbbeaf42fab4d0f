/** The modules that `start` needs, loaded with one import while the database opens. */
export { buildApp, standardAddressRules } from './app.ts';
export { startBackups } from './backups/scheduled-backups.ts';
export { CertificateFiles } from './config/settings/certificate-files.ts';
export { checkPaths } from './config/settings/check-paths.ts';
export { tlsOptions } from './config/settings/tls.ts';
export { completeTrail, markApplied, reject } from './config/settings/trail.ts';
export { startNotices } from './config/start-notices.ts';
export { joinShared } from './instances/join.ts';
export { shareSettings } from './instances/shared.ts';
export { startRunner } from './jobs/runner.ts';
export { createLogs, logFolderIn } from './logging/create-logs.ts';
export { logTrail } from './logging/log-trail.ts';
export { standardOutput } from './logging/standard-output.ts';
export { createPasswords } from './security/passwords.ts';
export { pepperIn } from './security/pepper.ts';
export { isOtherPepper, watchPepper } from './security/pepper-mark.ts';
