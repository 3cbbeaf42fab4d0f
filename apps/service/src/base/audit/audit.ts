import type { AuditAction } from '@kaptain/contract';
import type { AuditRecord, NewDocument, Nouns } from '@kaptain/store';
import type { Call, Caller } from '../call/call.ts';

export interface AuditEntry {
  action: AuditAction;
  target?: { noun: string; id: string; name: string };
  result?: AuditRecord['result'];
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  /** The actor, when the call has no caller (login, first admin). */
  actor?: { id: string | null; username: string };
}

/** The part of a call that an audit entry stores. */
export type AuditedCall = Pick<Call, 'caller' | 'ip' | 'requestId'>;

/** The audit entry of a call as the store keeps it. */
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
