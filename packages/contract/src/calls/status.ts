import { z } from 'zod';
import { download, json, route } from '../kit/route.ts';
import { idText, timestamp } from '../kit/text.ts';
import { ServiceInstance } from './service-instance.ts';

export const StatusCheck = z.object({
  /** The checked component, e.g. "Database". */
  name: z.string(),
  state: z.enum(['ok', 'warning', 'error']),
  /** The state in a sentence; on a problem, what to do. */
  sentence: z.string(),
  /** The time of a past event, such as the last backup. */
  at: timestamp.nullish(),
});
export type StatusCheck = z.infer<typeof StatusCheck>;

export const status = {
  get: route({
    method: 'GET',
    path: '/api/status',
    access: 'admin',
    summary: 'How the service and everything it depends on is doing.',
    extra: true,
    /** `none` runs no checks: the console only tests whether the service has this call. */
    query: z.object({ checks: z.enum(['all', 'none']).default('all') }),
    answer: json(
      z.object({
        version: z.string(),
        /** When the service was started. */
        since: timestamp,
        checks: z.array(StatusCheck),
        /** On a database that several instances may share. */
        instances: z.array(ServiceInstance).optional(),
      }),
    ),
  }),
  supportBundle: route({
    method: 'GET',
    path: '/api/status/support-bundle',
    access: 'admin',
    summary:
      'A file for support: versions, masked settings, checks, sizes and the last log lines, without secrets and names of people.',
    extra: true,
    answer: download('application/json'),
  }),
  makeBackup: route({
    method: 'POST',
    path: '/api/status/backup',
    access: 'admin',
    proof: 'ifAsked',
    summary:
      'Make a backup of the embedded store with settings, keys and certificates; it waits 15 minutes for its download.',
    extra: true,
    answer: json(z.object({ file: z.string(), bytes: z.number() })),
    errors: ['CONFLICT', 'TOO_MANY_REQUESTS', 'DISK_FULL'],
  }),
  downloadBackup: route({
    method: 'GET',
    path: '/api/status/backup/:file',
    access: 'admin',
    proof: 'ifAsked',
    summary: 'Download the backup that was made last; afterwards the service does not have it any more.',
    extra: true,
    params: z.object({ file: idText }),
    answer: download('application/octet-stream'),
  }),
};
