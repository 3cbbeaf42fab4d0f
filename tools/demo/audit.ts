import type { AuditAction } from '@kaptain/contract';
import type { Nouns, UserRecord } from '@kaptain/store';
import { minutesAgo, oneOf, whole } from './random.ts';

interface DemoEvent {
  minutes: number;
  action: AuditAction;
  actor: UserRecord;
  target: { noun: string; id: string; name: string };
  isRefused?: boolean;
  after?: Record<string, unknown>;
}

const asTarget = ({ id, username }: UserRecord) => ({ noun: 'user', id, name: username });
const minutesSince = (at: string) => (Date.now() - Date.parse(at)) / 60_000;

/** Audit entries: the creation of the demo's users and groups, 120 sign-ins, and a locked account. */
export async function addAudit(nouns: Nouns): Promise<void> {
  const [users, groups] = [await nouns.users.all(), await nouns.groups.all()];
  const admin = users.find(({ isFirstAdmin }) => isFirstAdmin);
  if (!admin) throw new Error('The demo data has no first admin.');
  const events: DemoEvent[] = [
    ...users.map((user) => ({
      minutes: minutesSince(user.createdAt),
      action: user === admin ? ('instance.init' as const) : ('user.create' as const),
      actor: admin,
      target: asTarget(user),
      after: { username: user.username, role: user.role, qlikId: user.qlikId, isCreate: user.isCreate },
    })),
    ...groups.map(({ id, groupname, authority, createdAt }) => ({
      minutes: minutesSince(createdAt),
      action: 'group.create' as const,
      actor: admin,
      target: { noun: 'group', id, name: groupname },
      after: { groupname, authority },
    })),
    ...Array.from({ length: 120 }, () => {
      const actor = oneOf(users);
      return { minutes: whole(5, 20_000), action: 'session.login' as const, actor, target: asTarget(actor) };
    }),
    ...users
      .filter(({ lockTime }) => lockTime !== null)
      .flatMap((actor) => [
        ...[5, 4, 3, 2, 1].map((minutes) => ({
          minutes,
          action: 'session.loginRefused' as const,
          actor,
          target: asTarget(actor),
          isRefused: true,
        })),
        { minutes: 0.9, action: 'session.locked' as const, actor, target: asTarget(actor) },
      ]),
  ];
  events.sort((a, b) => b.minutes - a.minutes);
  for (const [index, { minutes, action, actor, target, isRefused = false, after = null }] of events.entries())
    await nouns.audit.insert({
      at: minutesAgo(minutes),
      actorId: actor.id,
      actor: actor.username,
      ip: `10.20.30.${whole(10, 60)}`,
      action,
      target: `${target.noun}:${target.id}`,
      targetName: target.name,
      result: isRefused ? 'refused' : 'ok',
      requestId: `demo-${index + 1}`,
      before: null,
      after,
    });
}
