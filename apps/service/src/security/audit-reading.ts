import { DiskFullError, type Store } from '@kaptain/store';
import type { Log } from '../logging/logs.ts';
import { type AuditEntry, type AuditedCall, audit } from './audit.ts';

interface Deps {
  store: Store;
  log: Log;
  clock: () => number;
}

/**
 * The entry of a call that only reads. On a full disk the app log gets it instead: people must be able to take their data
 * out of a service that can't store anything.
 */
export async function auditReading(
  { store, log, clock }: Deps,
  call: AuditedCall,
  entry: AuditEntry,
): Promise<void> {
  try {
    await store.transaction((nouns) => audit(nouns, call, clock(), entry));
  } catch (error) {
    if (!(error instanceof DiskFullError)) throw error;
    const { action, target, after } = entry;
    const { requestId, ip, caller } = call;
    log.warn(
      { requestId, ip, user: caller?.username, action, target, after },
      'not audited: the disk is full',
    );
  }
}
