import { z } from 'zod';
import { download, json, route, streamedJson } from '../kit/route.ts';
import { filledText, idText, plainText, timestamp } from '../kit/text.ts';
import { limits } from '../rules/limits.ts';
import { JobStatus } from '../vocabulary.ts';

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
  /** From 0 to 1 while it runs; null while unknown. */
  progress: z.number().nullish(),
  /** The latest progress text of the platform. */
  progressText: z.string().nullish(),
  kapsuleId: z.string().nullish(),
  /** The time of the request; a queued job has no lastRunAt yet. */
  createdAt: timestamp.nullish(),
  /** 1 for the first attempt; failed attempts are retried. */
  attempt: z.number().nullish(),
});
export type LogEntry = z.infer<typeof LogEntry>;

export const LogPage = z.object({
  data: z.array(LogEntry),
  total: z.number(),
  /** False when `total` is a lower bound. */
  totalIsExact: z.boolean(),
});
export type LogPage = z.infer<typeof LogPage>;

/** The end of a script log. */
export const ScriptLog = z.object({
  /** The complete lines of the last 2 MiB. */
  text: z.string(),
  /** True when the file begins earlier. */
  isCut: z.boolean(),
});
export type ScriptLog = z.infer<typeof ScriptLog>;

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
      /** Spec 5: part of the name, compared without case. */
      q: plainText(1000).optional(),
      status: JobStatus.optional(),
      /** Requested at or after this time … */
      from: z.iso.datetime().optional(),
      /** … and before this time. */
      to: z.iso.datetime().optional(),
    }),
    // The page first, because its `data` would also match as a wrapped list.
    answer: streamedJson(z.union([LogPage, z.array(LogEntry)])),
  }),
  failing: route({
    method: 'GET',
    path: '/api/log/failing',
    access: 'loggedIn',
    summary: 'The last run of each app that has failed and not succeeded since, among the 1,000 newest runs.',
    extra: true,
    answer: json(z.array(LogEntry)),
  }),
  download: route({
    method: 'GET',
    path: '/api/log/download/:id',
    access: 'loggedIn',
    summary: 'Download the script log of one run.',
    params: z.object({ id: idText }),
    answer: download('text/plain; charset=utf-8'),
  }),
  content: route({
    method: 'GET',
    path: '/api/log/content/:id',
    access: 'loggedIn',
    summary: 'The end of the script log of one run as text, 2 MiB at most, for those who may download it.',
    extra: true,
    params: z.object({ id: idText }),
    answer: json(ScriptLog),
  }),
};

/** When the app of a kapsule is reloaded. */
export const Schedule = z.looseObject({
  /** Minute, hour, day of month, month, day of week. */
  cron: z.string(),
  /** The IANA name, e.g. Europe/Berlin. */
  timeZone: z.string(),
  partial: z.boolean(),
  isPaused: z.boolean(),
  /** The next three, in UTC; none while it is paused. */
  nextRuns: z.array(timestamp),
});
export type Schedule = z.infer<typeof Schedule>;

/** The platform's app of a kapsule, and the schedule of its reloads. */
export const KapsuleSchedule = Schedule.extend({
  kapsuleId: z.string(),
  kapsulename: z.string(),
  appId: z.string().nullable(),
  /** Null when nothing is scheduled. */
  cron: z.string().nullable(),
  nextRunAt: timestamp.nullable(),
});
export type KapsuleSchedule = z.infer<typeof KapsuleSchedule>;

/** The id of an app: usually a GUID, on DESKTOP a file path. */
export const appIdText = filledText('Please input the app ID!', 400).regex(
  /^(?!\.{1,2}$)[^\p{Cc}]+$/u,
  'This is no app ID.',
);

/** The reloads that the service runs on the platform. */
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
      timeZone: plainText(100).default('UTC'),
      partial: z.boolean().default(false),
      isPaused: z.boolean().default(false),
    }),
    answer: json(KapsuleSchedule),
    errors: ['PROOF_NEEDED'],
  }),
  previewSchedule: route({
    method: 'GET',
    path: '/api/job/schedule/preview',
    access: 'admin',
    summary: 'The next three runs of a schedule that is not saved; 400 says why it is no schedule.',
    extra: true,
    query: z.object({ cron: plainText(100), timeZone: plainText(100).default('UTC') }),
    answer: json(z.object({ nextRuns: z.array(timestamp) })),
  }),
};
