import type { ApiKeyRecord } from './nouns/api-keys.ts';
import type { AuditRecord } from './nouns/audit.ts';
import type { ChallengeRecord } from './nouns/challenges.ts';
import type { CommentAuthorsRecord } from './nouns/comment-authors.ts';
import type { DeletedKapsuleRecord } from './nouns/deleted-kapsules.ts';
import type { ExtensionGrantRecord } from './nouns/extension-grants.ts';
import type { GroupRecord } from './nouns/groups.ts';
import type { InstanceRecord } from './nouns/instance.ts';
import type { JobRecord } from './nouns/jobs.ts';
import type { KapsuleRecord } from './nouns/kapsules.ts';
import type { Stored } from './nouns/noun.ts';
import type { ProposalRecord } from './nouns/proposals.ts';
import type { ProviderSessionRecord } from './nouns/provider-sessions.ts';
import type { RolloutRecord } from './nouns/rollout.ts';
import type { ScheduleRecord } from './nouns/schedules.ts';
import type { SealRecord } from './nouns/seals.ts';
import type { ServiceInstanceRecord } from './nouns/service-instances.ts';
import type { SessionRecord } from './nouns/sessions.ts';
import type { SettingsFileRecord } from './nouns/settings-files.ts';
import type { SettingsGenerationRecord } from './nouns/settings-generations.ts';
import type { TicketRecord } from './nouns/tickets.ts';
import type { ToSealRecord } from './nouns/to-seal.ts';
import type { TrailRecord } from './nouns/trail.ts';
import type { UsedLogoutTokenRecord } from './nouns/used-logout-tokens.ts';
import type { UserRecord } from './nouns/users.ts';
import type { ViewRecord } from './nouns/views.ts';

/** A document to insert: the store adds the id (unless given) and the version. */
export type NewDocument<T extends Stored> = Omit<T, 'id' | 'version'> & { id?: string };

/** The value to look up in an index: a value, or one member of a list. */
type IndexValue<V> = V extends readonly (infer E)[] ? E : V;

export interface RecentQuery<T> {
  /** Equality on declared indexes only. */
  where?: { [K in keyof T]?: IndexValue<T[K]> };
  /** Only documents older than this id. */
  before?: string;
  /** ISO times of creation: from this time on … */
  since?: string;
  /** … and before this one. */
  until?: string;
  limit: number;
}

/** The number and the size of stored documents. */
export interface StoredSize {
  count: number;
  /** The bytes of the documents as stored. */
  bytes: number;
}

/** The documents of one noun. There is no query language: only these queries exist. */
export interface Documents<T extends Stored> {
  get(id: string): Promise<T | undefined>;
  /** In order of creation. For nouns that stay small. */
  all(): Promise<T[]>;
  /** In order of creation. */
  findBy<K extends keyof T & string>(index: K, value: IndexValue<T[K]>): Promise<T[]>;
  /** The size of the documents that `findBy` returns, without reading them. */
  sizeBy<K extends keyof T & string>(index: K, value: IndexValue<T[K]>): Promise<StoredSize>;
  /** Newest first, for nouns that grow without end. */
  recent(query: RecentQuery<T>): Promise<T[]>;
  /**
   * Throws UniqueError when a unique value is taken. `after` is the version that a removed document had under this id: the new
   * document gets the next one, so that a patch with a version from before the removal is refused.
   */
  insert(document: NewDocument<T>, after?: number): Promise<T>;
  /**
   * Throws StaleVersionError when `version` is given and not the current one, NotFoundError when the document does
   * not exist.
   */
  patch(id: string, change: Partial<Omit<T, 'id' | 'version'>>, version?: number): Promise<T>;
  /** Returns whether the document existed. */
  remove(id: string): Promise<boolean>;
  /** Says how many there were. */
  removeMany(ids: readonly string[]): Promise<number>;
}

export interface Nouns {
  users: Documents<UserRecord>;
  groups: Documents<GroupRecord>;
  kapsules: Documents<KapsuleRecord>;
  deletedKapsules: Documents<DeletedKapsuleRecord>;
  apiKeys: Documents<ApiKeyRecord>;
  sessions: Documents<SessionRecord>;
  tickets: Documents<TicketRecord>;
  extensionGrants: Documents<ExtensionGrantRecord>;
  challenges: Documents<ChallengeRecord>;
  providerSessions: Documents<ProviderSessionRecord>;
  usedLogoutTokens: Documents<UsedLogoutTokenRecord>;
  jobs: Documents<JobRecord>;
  schedules: Documents<ScheduleRecord>;
  views: Documents<ViewRecord>;
  proposals: Documents<ProposalRecord>;
  commentAuthors: Documents<CommentAuthorsRecord>;
  audit: Documents<AuditRecord>;
  toSeal: Documents<ToSealRecord>;
  seals: Documents<SealRecord>;
  trail: Documents<TrailRecord>;
  instance: Documents<InstanceRecord>;
  serviceInstances: Documents<ServiceInstanceRecord>;
  rollout: Documents<RolloutRecord>;
  settingsGenerations: Documents<SettingsGenerationRecord>;
  settingsFiles: Documents<SettingsFileRecord>;
}
