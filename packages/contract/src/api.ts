import { about } from './about.ts';
import { account } from './account.ts';
import { apiKeys } from './api-keys.ts';
import { audit } from './audit.ts';
import { dataApi } from './data-api.ts';
import { deletedKapsules } from './deleted-kapsules.ts';
import { downloads } from './downloads.ts';
import { extension } from './extension.ts';
import { granules } from './granules.ts';
import { groups } from './groups.ts';
import { kapsules } from './kapsules.ts';
import { jobs, logs } from './logs.ts';
import { secondFactor } from './second-factor.ts';
import { session } from './session.ts';
import { settings } from './settings/routes.ts';
import { status } from './status.ts';
import { systemLogs } from './system-logs.ts';
import { users } from './users.ts';
import { views } from './views.ts';

/** All calls of the API. Service and console derive their routes and clients from this list. */
export const api = {
  session,
  about,
  kapsules,
  deletedKapsules,
  granules,
  views,
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
