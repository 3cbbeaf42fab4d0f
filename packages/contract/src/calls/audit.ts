import { z } from 'zod';
import { download, json, route } from '../kit/route.ts';
import { idText, plainText, timestamp } from '../kit/text.ts';

/** The audited actions and their labels; `{Kapsule}` and `{Granules}` are replaced by the variant's terms. */
export const auditActions = {
  'session.login': 'Signed in',
  'session.loginRefused': 'Sign-in refused',
  'session.locked': 'Account locked',
  'session.logout': 'Signed out',
  'session.end': 'Session ended',
  'session.endOthers': 'Signed out elsewhere',
  'session.endByProvider': 'Session ended by the provider',
  'session.proof': 'Identity confirmed',
  'extension.signIn': 'Signed in for the extension',
  'extension.proof': 'Identity confirmed by the platform, for the extension',
  'instance.init': 'First admin created',
  'account.password': 'Own password changed',
  'account.secondFactorOn': 'Second factor set up',
  'account.secondFactorOff': 'Second factor removed',
  'account.passkeyCopied': 'Passkey refused: its counter went back',
  'account.passkeyRename': 'Passkey renamed',
  'account.recoveryCodes': 'New recovery codes made',
  'user.create': 'User created',
  'user.update': 'User changed',
  'user.unlock': 'User unlocked',
  'user.remove': 'User deleted',
  'user.endSessions': 'User signed out',
  'user.secondFactorReset': 'Second factor reset',
  'group.create': 'Group created',
  'group.update': 'Group changed',
  'group.remove': 'Group deleted',
  'apiKey.create': 'API key created',
  'apiKey.remove': 'API key deleted',
  'kapsule.create': '{Kapsule} created',
  'kapsule.import': '{Kapsule} imported',
  'kapsule.update': '{Kapsule} changed',
  'kapsule.replace': 'Structure replaced',
  'kapsule.export': 'Structure exported',
  'kapsule.owner': 'Owner changed',
  'kapsule.writers': 'Writers changed',
  'kapsule.locks': 'Locks changed',
  'kapsule.remove': '{Kapsule} deleted',
  'kapsule.restore': '{Kapsule} restored',
  'kapsule.purge': '{Kapsule} deleted for good',
  'granule.upsert': '{Granules} saved',
  'comment.add': 'Comment added',
  'comment.edit': 'Comment changed',
  'comment.remove': 'Comment deleted',
  'granule.remove': '{Granules} deleted',
  'granule.restore': '{Granules} restored',
  'granule.import': 'QVD imported',
  'granule.export': '{Granules} exported',
  'granule.reloaded': 'Reload confirmed',
  'settings.update': 'Settings changed',
  'settings.import': 'Settings imported',
  'settings.forget': 'Shared settings removed',
  'settings.export': 'Settings exported',
  'settings.returnTo': 'Earlier settings brought back',
  'settings.upload': 'Certificate file uploaded',
  'settings.rollBack': 'Settings rolled back',
  'service.restart': 'Service restarted',
  'backup.create': 'Backup made',
  'backup.download': 'Backup downloaded',
  'backup.restore': 'Backup restored',
  'audit.export': 'Audit trail exported',
  'support.bundle': 'Support bundle made',
  'job.start': 'Reload asked for',
  'job.cancel': 'Reload cancelled',
  'job.finish': 'Reload finished',
  'job.schedule': 'Reload schedule changed',
} as const;
export type AuditAction = keyof typeof auditActions;

const values = z.record(z.string(), z.unknown()).nullable();

export const AuditEntry = z.looseObject({
  _id: z.string(),
  at: timestamp,
  actorId: z.string().nullable(),
  actor: z.string(),
  ip: z.string(),
  action: z.string(),
  target: z.string().nullable(),
  targetName: z.string().nullable(),
  result: z.enum(['ok', 'refused']),
  requestId: z.string(),
  before: values,
  after: values,
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const filter = {
  actorId: idText.optional(),
  action: z.enum(Object.keys(auditActions) as [AuditAction, ...AuditAction[]]).optional(),
  target: plainText(300).optional(),
  since: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
  /** A part of any text of the entry, compared without case. */
  q: plainText(200).optional(),
};

export const audit = {
  list: route({
    method: 'GET',
    path: '/api/audit',
    access: 'admin',
    summary:
      'Who did what, newest first, a page at a time. A search looks at 2,000 entries at most: `next` goes on behind them.',
    extra: true,
    query: z.object({
      ...filter,
      /** The `next` of the previous page. */
      before: idText.optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answer: json(z.object({ data: z.array(AuditEntry), next: z.string().nullable() })),
  }),
  export: route({
    method: 'GET',
    path: '/api/audit/export',
    access: 'admin',
    summary: 'Download the entries that match the filters as CSV, newest first.',
    extra: true,
    query: z.object(filter),
    answer: download('text/csv; charset=utf-8'),
    errors: ['TOO_MANY_REQUESTS'],
  }),
};
