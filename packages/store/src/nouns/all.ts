import { apiKeys } from './api-keys.ts';
import { audit } from './audit.ts';
import { challenges } from './challenges.ts';
import { commentAuthors } from './comment-authors.ts';
import { deletedKapsules } from './deleted-kapsules.ts';
import { extensionGrants } from './extension-grants.ts';
import { groups } from './groups.ts';
import { instance } from './instance.ts';
import { jobs } from './jobs.ts';
import { kapsules } from './kapsules.ts';
import type { FormChange } from './noun.ts';
import { proposals } from './proposals.ts';
import { providerSessions } from './provider-sessions.ts';
import { rollout } from './rollout.ts';
import { schedules } from './schedules.ts';
import { seals } from './seals.ts';
import { serviceInstances } from './service-instances.ts';
import { sessions } from './sessions.ts';
import { settingsFiles } from './settings-files.ts';
import { settingsGenerations } from './settings-generations.ts';
import { tickets } from './tickets.ts';
import { toSeal } from './to-seal.ts';
import { trail } from './trail.ts';
import { usedLogoutTokens } from './used-logout-tokens.ts';
import { users } from './users.ts';
import { views } from './views.ts';

/** Every noun there is; each backend builds its tables from this list. */
export const nouns = {
  users,
  groups,
  kapsules,
  deletedKapsules,
  apiKeys,
  sessions,
  tickets,
  extensionGrants,
  challenges,
  providerSessions,
  usedLogoutTokens,
  jobs,
  schedules,
  views,
  proposals,
  commentAuthors,
  audit,
  toSeal,
  seals,
  trail,
  instance,
  serviceInstances,
  rollout,
  settingsGenerations,
  settingsFiles,
} as const;

export type NounName = keyof typeof nouns;

/** A noun seen from inside a backend, where the type of its documents no longer matters. */
export interface AnyNoun {
  name: string;
  formChanges?: readonly FormChange[];
  unique: readonly string[];
  indexes: readonly string[];
  lists?: readonly string[];
}

export const nounNames = Object.keys(nouns) as NounName[];
