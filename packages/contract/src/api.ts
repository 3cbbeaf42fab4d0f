import { about } from './calls/about.ts';
import { account } from './calls/account.ts';
import { apiKeys } from './calls/api-keys.ts';
import { approvals } from './calls/approvals.ts';
import { audit } from './calls/audit.ts';
import { dataApi } from './calls/data-api.ts';
import { deletedKapsules } from './calls/deleted-kapsules.ts';
import { downloads } from './calls/downloads.ts';
import { extension } from './calls/extension.ts';
import { granules } from './calls/granules.ts';
import { groups } from './calls/groups.ts';
import { kapsules } from './calls/kapsules.ts';
import { jobs, logs } from './calls/logs.ts';
import { proposals } from './calls/proposals.ts';
import { secondFactor } from './calls/second-factor.ts';
import { session } from './calls/session.ts';
import { settings } from './calls/settings/routes.ts';
import { status } from './calls/status.ts';
import { systemLogs } from './calls/system-logs.ts';
import { users } from './calls/users.ts';
import { views } from './calls/views.ts';

/** All calls of the API. Service and console derive their routes and clients from this list. */
export const api = {
  session,
  about,
  kapsules,
  deletedKapsules,
  proposals,
  granules,
  views,
  approvals,
  dataApi,
  extension,
  downloads,
  apiKeys,
  groups,
  users,
  account,
  secondFactor,
  audit,
  logs,
  jobs,
  systemLogs,
  status,
  settings,
};
export type KaptainApi = typeof api;
