import { type AuditRecord, type NewDocument, type Store, wrapAudit } from '@kaptain/store';
import type { Log } from './logs.ts';

const MOST_NAMES = 20;

/** The names of the changed fields; only entries about settings have names without values. */
function changedNames({ action, after }: AuditRecord): { changed?: string[] } {
  const names = after?.['changed'];
  if (!action.startsWith('settings.') || !Array.isArray(names)) return {};
  const all = names.map(String);
  if (all.length <= MOST_NAMES) return { changed: all };
  // A line of the log has at most this many values of a list.
  return { changed: [...all.slice(0, MOST_NAMES - 1), `and ${all.length - MOST_NAMES + 1} more`] };
}

/** Writes actor, action, target, result and address; the changed values are only in the audit trail. */
function writeLine(log: Log, entry: AuditRecord): void {
  const { actor: user, action, target, targetName, result, ip, requestId, id } = entry;
  const line = { user, action, target, targetName, result, ip, requestId, entry: id, ...changedNames(entry) };
  if (result === 'ok') log.info(line, action);
  else log.warn(line, action);
}

/**
 * A store that writes a line to the app log for each audit entry, after its unit of work is committed; `alsoTo` gets the
 * entry too.
 */
export function logTrail(store: Store, log: Log, alsoTo?: (entry: AuditRecord) => void): Store {
  const passOn = (entry: AuditRecord) => {
    writeLine(log, entry);
    alsoTo?.(entry);
  };
  const wrapped = wrapAudit(store, ({ audit }) => {
    const entries: AuditRecord[] = [];
    const insert = async (entry: NewDocument<AuditRecord>) => {
      const inserted = await audit.insert(entry);
      entries.push(inserted);
      return inserted;
    };
    return {
      audit: { ...audit, insert },
      committed() {
        for (const entry of entries) passOn(entry);
      },
    };
  });
  const save: Store['save'] = async (saving) => {
    const saved = await store.save(saving);
    passOn(saved.entry);
    return saved;
  };
  return { ...wrapped, save };
}
