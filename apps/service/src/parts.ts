/** What the process puts together; loaded in one piece while the database opens. */
export { buildApp, standardAddressRules } from './app.ts';
export { openSettings } from './config/settings.ts';
export { startRunner } from './jobs/runner.ts';
export { createLogs } from './logging/create-logs.ts';
export { createPasswords } from './security/passwords.ts';
