import { z } from 'zod';
import { json, route } from './kit/route.ts';
import { timestamp } from './kit/text.ts';

export const StatusCheck = z.object({
  /** What was looked at, e.g. "Database". */
  name: z.string(),
  state: z.enum(['ok', 'warning', 'error']),
  /** How it is; when something is wrong, what helps. */
  sentence: z.string(),
  /** When that was, for what lies in the past. */
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
    /** `none` only asks whether there is such a call. */
    query: z.object({ checks: z.enum(['all', 'none']).default('all') }),
    answer: json(
      z.object({
        version: z.string(),
        /** When the service was started. */
        since: timestamp,
        checks: z.array(StatusCheck),
      }),
    ),
  }),
};
