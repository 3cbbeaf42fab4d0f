import type { NewDocument } from './documents.ts';
import type { GranuleInput, StoredGranule } from './granules.ts';
import type { NounName } from './nouns/all.ts';
import type { AuditRecord } from './nouns/audit.ts';
import type { ToSealRecord } from './nouns/to-seal.ts';

/** A document that a change depends on; without a version it only has to exist. */
export interface Dependency {
  noun: NounName;
  id: string;
  version?: number;
}

/** A unit of work that saves granules of one kapsule: all that it reads and writes is given at once, so that a store can do it in one call. */
export interface Saving {
  kapsuleId: string;
  rows: readonly GranuleInput[];
  /** The documents on which the caller has decided; the unit stores nothing when one of them has changed since. */
  dependsOn: readonly Dependency[];
  entry: NewDocument<AuditRecord>;
  /** The HMAC of the entry until it has its number in the chain, under the id of the entry; added by trail/seal-trail.ts. */
  toSeal?: NewDocument<ToSealRecord>;
}

export interface Saved {
  granules: StoredGranule[];
  entry: AuditRecord;
}
