import type { AuditEntry, api } from '@kaptain/contract';
import { type AuditRecord, PageRoom, type Store } from '@kaptain/store';
import type { Handlers } from '../../http/call.ts';
import { auditEntries } from './audit-entries.ts';

const shown = (entry: AuditRecord): AuditEntry => ({
  _id: entry.id,
  at: entry.at,
  actorId: entry.actorId,
  actor: entry.actor,
  ip: entry.ip,
  action: entry.action,
  target: entry.target,
  targetName: entry.targetName,
  result: entry.result,
  requestId: entry.requestId,
  before: entry.before,
  after: entry.after,
});

/** Only `before` and `after` may be long. */
const bytesOf = ({ before, after }: AuditRecord) => JSON.stringify([before, after]).length;

export const auditRoutes = (store: Store): Handlers<typeof api.audit> => ({
  async list({ query }) {
    const { actorId, action, target, before, since, until, limit } = query;
    const where = { ...(actorId && { actorId }), ...(action && { action }), ...(target && { target }) };
    const found: AuditRecord[] = [];
    for await (const entry of auditEntries(store.audit, { where, before, since, until }, limit + 1)) {
      found.push(entry);
      // One entry more than the limit shows that there is a next page.
      if (found.length > limit) break;
    }
    const room = new PageRoom();
    const left = found.findIndex((entry, place) => place === limit || !room.takes(bytesOf(entry)));
    const page = left < 0 ? found : found.slice(0, left);
    return { data: page.map(shown), next: left < 0 ? null : (page.at(-1)?.id ?? null) };
  },
});
