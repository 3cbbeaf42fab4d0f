import type { Granules, GranuleWrites } from './granules.ts';
import type { ApiKeyRecord } from './nouns/api-keys.ts';
import type { AuditRecord } from './nouns/audit.ts';
import type { GroupRecord } from './nouns/groups.ts';
import type { InstanceRecord } from './nouns/instance.ts';
import type { JobRecord } from './nouns/jobs.ts';
import type { KapsuleRecord } from './nouns/kapsules.ts';
import type { Stored } from './nouns/noun.ts';
import type { ScheduleRecord } from './nouns/schedules.ts';
import type { SessionRecord } from './nouns/sessions.ts';
import type { TicketRecord } from './nouns/tickets.ts';
import type { TrailRecord } from './nouns/trail.ts';
import type { UserRecord } from './nouns/users.ts';

/** What a caller gives to insert: the store adds the id (unless given) and the version. */
export type NewDocument<T extends Stored> = Omit<T, 'id' | 'version'> & { id?: string };

/** What an index is asked for: a value, or one entry of a list. */
export type IndexValue<V> = V extends readonly (infer E)[] ? E : V;

export interface RecentQuery<T> {
  /** Equality on declared indexes only. */
  where?: { [K in keyof T]?: IndexValue<T[K]> };
  /** Only documents older than this id. */
  before?: string;
  /** ISO times of creation: from this moment on … */
  since?: string;
  /** … and before this one. */
  until?: string;
  limit: number;
}

/** One noun. There is no query language: what can't be asked here is not asked. */
export interface Documents<T extends Stored> {
  get(id: string): Promise<T | undefined>;
  /** In order of creation. For nouns that stay small. */
  all(): Promise<T[]>;
  /** In order of creation. */
  findBy<K extends keyof T & string>(index: K, value: IndexValue<T[K]>): Promise<T[]>;
  /** Newest first, for nouns that grow without end. */
  recent(query: RecentQuery<T>): Promise<T[]>;
  /** Throws UniqueError when a unique value is taken. */
  insert(document: NewDocument<T>): Promise<T>;
  /** Throws StaleVersionError when `version` is given and no longer current, NotFoundError when it is gone. */
  patch(id: string, change: Partial<Omit<T, 'id' | 'version'>>, version?: number): Promise<T>;
  /** Says whether there was anything to remove. */
  remove(id: string): Promise<boolean>;
}

export interface Nouns {
  users: Documents<UserRecord>;
  groups: Documents<GroupRecord>;
  kapsules: Documents<KapsuleRecord>;
  apiKeys: Documents<ApiKeyRecord>;
  sessions: Documents<SessionRecord>;
  tickets: Documents<TicketRecord>;
  jobs: Documents<JobRecord>;
  schedules: Documents<ScheduleRecord>;
  audit: Documents<AuditRecord>;
  trail: Documents<TrailRecord>;
  instance: Documents<InstanceRecord>;
}

/** The session of a token together with its user: one round trip, because every request asks. */
export interface SessionWithUser {
  session: SessionRecord;
  user: UserRecord;
  /** The change mark of that moment: whoever needs one for the same request need not ask again. */
  mark: string;
}

/** All that decides which kapsules a user may see: the groups they are in, and what these hold or the user owns. */
export interface VisibleKapsules {
  groups: GroupRecord[];
  /** In order of creation. */
  kapsules: KapsuleRecord[];
}

/** What a unit of work may touch. */
export interface Unit extends Nouns {
  granules: GranuleWrites;
}

export interface Store extends Nouns {
  granules: Granules;
  sessionWithUser(tokenHash: string): Promise<SessionWithUser | undefined>;
  /**
   * One round trip whose cost grows with what the user may see, not with what there is; given a kapsule, only that one
   * and the groups that hold it.
   */
  visibleTo(userId: string, kapsuleId?: string): Promise<VisibleKapsules>;
  /** Another text whenever anything stored may have changed since the last one, by whichever process. Cheap. */
  changeMark(): Promise<string>;
  /**
   * A unit of work: all of it is stored, or nothing. Units run one after another as far as anyone can see, so
   * what is read inside is still true when it commits. The work may be run again after a collision: no side effects.
   */
  transaction<T>(work: (unit: Unit) => Promise<T>): Promise<T>;
  /** Throws UnavailableError when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
