import { DiskFullError, type Store } from '@kaptain/store';
import type { Log } from '../logging/logs.ts';
import { type AuditEntry, type AuditedCall, audit } from './audit.ts';

interface Deps {
  store: Store;
  log: Log;
  clock: () => number;
}

/**
 * Writes the audit entry of a call that only reads. On a full disk it goes to the app log instead, so that users can
 * still export their data.
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
