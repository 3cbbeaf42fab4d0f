import type { Nouns, Store } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { KeptSettings } from '../../base/config/settings.ts';
import type { Log } from '../../base/logging/logs.ts';
import type { Rejected } from '../supervisor/messages.ts';
import { GENERATION_ENTRIES } from '../tuning.ts';

const ROLLED_BACK = 'settings.rollBack';
const noCaller = { caller: undefined, ip: '', requestId: '' };
const target = (generation: number) => ({
  noun: 'settings',
  id: String(generation),
  name: `Generation ${generation}`,
});

/** Writes the audit entries that a crash or an absent database prevented. */
export async function completeTrail(store: Store, settings: KeptSettings): Promise<void> {
  await completeSave(store, settings);
  const { generations } = settings;
  for (const generation of generations.numbers()) {
    const mark = generations.mark(generation);
    if (mark?.status !== 'rejected') continue;
    const { noun, id } = target(generation);
    const entries = await store.audit.recent({
      where: { target: `${noun}:${id}` },
      limit: GENERATION_ENTRIES,
    });
    if (entries.some(({ action }) => action === ROLLED_BACK)) continue;
    await auditRollBack(store, { generation, reason: mark.reason ?? '' }, Date.parse(mark.at));
  }
}

/** From the author stored with the settings. */
async function completeSave(store: Store, { began }: KeptSettings): Promise<void> {
  if (began.generation === 0) return;
  const { by, changed } = began;
  const { id, ...names } = target(began.generation);
  const entries = await store.audit.recent({ where: { target: `${names.noun}:${id}` }, limit: 1 });
  if (entries.length > 0) return;
  await audit(store, { ...noCaller, ip: by.ip, requestId: by.requestId }, Date.parse(began.at), {
    action: by.action,
    target: { id, ...names },
    actor: { id: by.userId, username: by.username ?? 'host' },
    after: { changed: [...changed] },
  });
}

/** Marks the settings as applied: a later failure to start is not blamed on them. */
export function markApplied({ generations, began }: KeptSettings, log: Log): void {
  try {
    generations.setMark(began.generation, { status: 'applied', at: new Date().toISOString(), reason: null });
  } catch (error) {
    log.warn({ err: error }, 'could not mark the settings as applied');
  }
}

/** Marks the settings as rejected, so that no start tries them again, and audits it. */
export async function reject(
  { generation, reason }: Rejected,
  { settings, store, log }: { settings: KeptSettings; store: Store; log: Log },
): Promise<void> {
  log.error({ generation, reason }, 'settings rolled back');
  const at = new Date().toISOString();
  settings.generations.setMark(generation, { status: 'rejected', at, reason });
  settings.refresh();
  await auditRollBack(store, { generation, reason }, Date.parse(at));
}

export const auditRollBack = (store: Pick<Nouns, 'audit'>, { generation, reason }: Rejected, at: number) =>
  audit(store, noCaller, at, {
    action: ROLLED_BACK,
    target: target(generation),
    result: 'refused',
    actor: { id: null, username: 'service' },
    after: { reason },
  });
