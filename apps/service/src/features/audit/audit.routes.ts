import type { AuditEntry, api } from '@kaptain/contract';
import type { AuditRecord, Store } from '@kaptain/store';
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

export const auditRoutes = (store: Store): Handlers<typeof api.audit> => ({
  async list({ query }) {
    const { actorId, action, target, before, since, until, limit } = query;
    const where = { ...(actorId && { actorId }), ...(action && { action }), ...(target && { target }) };
    const found: AuditRecord[] = [];
    for await (const entry of auditEntries(store.audit, { where, before, since, until }, limit + 1)) {
      found.push(entry);
      // One more than asked for tells whether there is a next page.
      if (found.length > limit) break;
    }
    const page = found.slice(0, limit);
    const next = found.length > limit ? (page.at(-1)?.id ?? null) : null;
    return { data: page.map(shown), next };
  },
});
