import type { AuditRecord, NewDocument, Nouns, Store } from '@kaptain/store';
import type { Log } from './logs.ts';

/** Who, what, on what, with which result, from where; values of a change stay in the trail. */
function writeLine(log: Log, entry: AuditRecord): void {
  const { actor: user, action, target, targetName, result, ip, requestId, id } = entry;
  const line = { user, action, target, targetName, result, ip, requestId, entry: id };
  if (result === 'ok') log.info(line, action);
  else log.warn(line, action);
}

/** A store that writes a line to the app log for each audit entry, once the unit of work with it is stored. */
export function logTrail(store: Store, log: Log): Store {
  async function logging<T>(run: (noting: <N extends Nouns>(nouns: N) => N) => Promise<T>): Promise<T> {
    let entries: AuditRecord[] = [];
    const result = await run((nouns) => {
      // The work may be run again after a collision: what counts is the run that was stored.
      const noted: AuditRecord[] = [];
      entries = noted;
      const insert = async (entry: NewDocument<AuditRecord>) => {
        const inserted = await nouns.audit.insert(entry);
        noted.push(inserted);
        return inserted;
      };
      return { ...nouns, audit: { ...nouns.audit, insert } };
    });
    for (const entry of entries) writeLine(log, entry);
    return result;
  }
  const transaction: Store['transaction'] = (work) =>
    logging((noting) => store.transaction((unit) => work(noting(unit))));
  const save: Store['save'] = async (saving) => {
    const saved = await store.save(saving);
    writeLine(log, saved.entry);
    return saved;
  };
  return {
    ...store,
    transaction,
    save,
    audit: { ...store.audit, insert: (entry) => transaction((unit) => unit.audit.insert(entry)) },
    granules: {
      ...store.granules,
      importAll: (kapsuleId, rows, audit) =>
        logging((noting) =>
          store.granules.importAll(kapsuleId, rows, (nouns, stored) => audit(noting(nouns), stored)),
        ),
    },
  };
}
