import type { AuditRecord } from '../nouns/audit.ts';
import type { Documents, Nouns, Store } from '../store.ts';

/** The audit entries of one unit of work. */
interface AuditUnit {
  audit: Documents<AuditRecord>;
  /** Called after the unit is committed. */
  committed?(): void;
}

/**
 * A store whose transactions and imports write their audit entries through what `wrap` makes of them. `save`, which gets its
 * entry as a value, is left to the caller.
 */
export function wrapAudit(store: Store, wrap: (nouns: Nouns) => AuditUnit): Store {
  async function wrapping<T>(run: (wrapped: <N extends Nouns>(nouns: N) => N) => Promise<T>): Promise<T> {
    // Work that is retried after a collision is wrapped again; only its last attempt is committed.
    let last: AuditUnit | undefined;
    const result = await run((nouns) => {
      last = wrap(nouns);
      return { ...nouns, audit: last.audit };
    });
    last?.committed?.();
    return result;
  }
  const transaction: Store['transaction'] = (work) =>
    wrapping((wrapped) => store.transaction((unit) => work(wrapped(unit))));
  return {
    ...store,
    transaction,
    audit: { ...store.audit, insert: (entry) => transaction((unit) => unit.audit.insert(entry)) },
    granules: {
      ...store.granules,
      importAll: (kapsuleId, rows, audit) =>
        wrapping((wrapped) =>
          store.granules.importAll(kapsuleId, rows, (nouns, stored) => audit(wrapped(nouns), stored)),
        ),
    },
  };
}
