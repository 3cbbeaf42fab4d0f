import { z } from 'zod';
import { download, json, route, streamedJson } from './kit/route.ts';
import { filledText, idText, plainText, timestamp } from './kit/text.ts';
import { limits } from './limits.ts';
import { JobStatus } from './vocabulary.ts';

export const PlatformUser = z.looseObject({ userId: z.string(), userDirectory: z.string().optional() });
export type PlatformUser = z.infer<typeof PlatformUser>;

/** One run of a job, as the Logs page shows it. */
export const LogEntry = z.looseObject({
  _id: z.string(),
  name: z.string(),
  type: z.string().nullish(),
  lastRunAt: timestamp.nullish(),
  lastFinishedAt: timestamp.nullish(),
  qlikUser: PlatformUser.nullish(),
  qScriptLogFile: z.string().nullish(),
  appId: z.string().nullish(),
  partial: z.boolean().nullish(),
  status: JobStatus.nullish(),
  failReason: z.string().nullish(),
  /** From 0 to 1, while it runs; null while nobody can tell. */
  progress: z.number().nullish(),
  /** The newest thing the platform said while it ran. */
  progressText: z.string().nullish(),
  kapsuleId: z.string().nullish(),
  /** When it was asked for: a queued one has no lastRunAt yet. */
  createdAt: timestamp.nullish(),
  /** 1 for the first try; a failed one is tried again a few times. */
  attempt: z.number().nullish(),
});
export type LogEntry = z.infer<typeof LogEntry>;

export const LogPage = z.object({
  data: z.array(LogEntry),
  total: z.number(),
  /** False when there are more matches than were counted. */
  totalIsExact: z.boolean(),
});
export type LogPage = z.infer<typeof LogPage>;

export const logs = {
  list: route({
    method: 'GET',
    path: '/api/log/list',
    access: 'loggedIn',
    summary:
      'The runs of jobs, newest first: for an ADMIN all, otherwise one’s own and those of readable kapsules. ' +
      'The whole list streamed, or one page when any option is given.',
    query: z.object({
      page: z.coerce.number().int().min(1).optional(),
      size: z.coerce.number().int().min(1).max(limits.pageSize).optional(),
      /** Spec 5: part of the name, in any case. */
      q: plainText(1000).optional(),
      status: JobStatus.optional(),
      /** When it was asked for: from this moment on … */
      from: z.iso.datetime().optional(),
      /** … and before this one. */
      to: z.iso.datetime().optional(),
    }),
    // The page first: its `data` is a list too and would be taken for a wrapped plain list.
    answer: streamedJson(z.union([LogPage, z.array(LogEntry)])),
  }),
  download: route({
    method: 'GET',
    path: '/api/log/download/:id',
    access: 'loggedIn',
    summary: 'Download the script log of one run.',
    params: z.object({ id: idText }),
    answer: download('text/plain; charset=utf-8'),
  }),
};

/** The app that holds a kapsule's data on the platform, and when it is reloaded. */
export const KapsuleSchedule = z.looseObject({
  kapsuleId: z.string(),
  kapsulename: z.string(),
  appId: z.string().nullable(),
  /** Minute, hour, day of month, month, day of week, in UTC; null when nothing is scheduled. */
  cron: z.string().nullable(),
  partial: z.boolean(),
  nextRunAt: timestamp.nullable(),
});
export type KapsuleSchedule = z.infer<typeof KapsuleSchedule>;

/** An app of the platform: mostly a GUID, on a desktop the path of a file. */
export const appIdText = filledText('Please input the app ID!', 400).regex(
  /^(?!\.{1,2}$)[^\p{Cc}]+$/u,
  'This is no app ID.',
);

/** What the service has the platform do. */
export const jobs = {
  start: route({
    method: 'POST',
    path: '/api/job',
    access: 'admin',
    summary:
      'Queue a reload of an app; when it succeeds, the granules of the kapsules with this app become reloaded. ' +
      'A kapsule with another app is refused.',
    extra: true,
    body: z.object({
      appId: appIdText,
      kapsuleId: idText.optional(),
      partial: z.boolean().default(false),
    }),
    answer: json(LogEntry),
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  rerun: route({
    method: 'POST',
    path: '/api/job/:id/rerun',
    access: 'admin',
    summary: 'Queue the same reload as an earlier run.',
    extra: true,
    params: z.object({ id: idText }),
    answer: json(LogEntry),
    errors: ['CONFLICT'],
  }),
  cancel: route({
    method: 'POST',
    path: '/api/job/:id/cancel',
    access: 'admin',
    summary: 'Cancel a queued run at once, or ask the platform to stop a running one.',
    extra: true,
    params: z.object({ id: idText }),
    answer: json(LogEntry),
    errors: ['CONFLICT'],
  }),
  apps: route({
    method: 'GET',
    path: '/api/job/app',
    access: 'admin',
    summary: 'The apps of the platform that the service may reload.',
    extra: true,
    answer: json(z.array(z.looseObject({ id: z.string(), name: z.string() }))),
    errors: ['CONFLICT'],
  }),
  schedules: route({
    method: 'GET',
    path: '/api/job/schedule',
    access: 'admin',
    summary: 'Every kapsule with its app on the platform and the schedule of its reloads.',
    extra: true,
    answer: json(z.array(KapsuleSchedule)),
  }),
  setSchedule: route({
    method: 'PUT',
    path: '/api/job/schedule/:kapsuleId',
    access: 'admin',
    summary: 'Say which app belongs to a kapsule, and when it is reloaded; null takes either away.',
    extra: true,
    params: z.object({ kapsuleId: idText }),
    body: z.object({
      appId: appIdText.nullable(),
      cron: plainText(100).nullable().default(null),
      partial: z.boolean().default(false),
    }),
    answer: json(KapsuleSchedule),
  }),
};
