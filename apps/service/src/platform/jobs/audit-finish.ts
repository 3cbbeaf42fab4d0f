import type { JobRecord, Nouns } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';

export const jobTarget = ({ id, name }: JobRecord) => ({ noun: 'job', id, name });

/** The end of a job has no caller, so the service is the actor. */
export const auditFinish = (
  nouns: Pick<Nouns, 'audit'>,
  job: JobRecord,
  now: number,
  more: Record<string, unknown> = {},
): Promise<void> =>
  audit(nouns, { caller: undefined, ip: '', requestId: job.id }, now, {
    action: 'job.finish',
    actor: { id: null, username: 'service' },
    target: jobTarget(job),
    after: {
      status: job.status,
      ...(job.failReason && { failReason: job.failReason }),
      ...(job.run && { attempt: job.run.attempt }),
      ...more,
    },
  });
