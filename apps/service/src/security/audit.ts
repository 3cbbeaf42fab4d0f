import type { AuditAction } from '@kaptain/contract';
import type { AuditRecord, NewDocument, Nouns } from '@kaptain/store';
import type { Call, Caller } from '../http/call.ts';

export interface AuditEntry {
  action: AuditAction;
  target?: { noun: string; id: string; name: string };
  result?: AuditRecord['result'];
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  /** Who did it, when the call itself has no caller (login, first visit). */
  actor?: { id: string | null; username: string };
}

/** What the trail keeps of a call. */
export type AuditedCall = Pick<Call, 'caller' | 'ip' | 'requestId'>;

/** Who did what, as the trail keeps it. */
export function auditRecord(call: AuditedCall, now: number, entry: AuditEntry): NewDocument<AuditRecord> {
  const caller: Caller | undefined = call.caller;
  const name = caller?.apiKey ? `${caller.username} (ApiKey ${caller.apiKey})` : caller?.username;
  const actor = entry.actor ?? { id: caller?.userId ?? null, username: name ?? 'nobody' };
  return {
    at: new Date(now).toISOString(),
    actorId: actor.id,
    actor: actor.username,
    ip: call.ip,
    action: entry.action,
    target: entry.target ? `${entry.target.noun}:${entry.target.id}` : null,
    targetName: entry.target?.name ?? null,
    result: entry.result ?? 'ok',
    requestId: call.requestId,
    before: entry.before ?? null,
    after: entry.after ?? null,
  };
}

/** Writes who did what; call it inside the unit of work that does it. */
export async function audit(
  nouns: Pick<Nouns, 'audit'>,
  call: AuditedCall,
  now: number,
  entry: AuditEntry,
): Promise<void> {
  await nouns.audit.insert(auditRecord(call, now, entry));
}
