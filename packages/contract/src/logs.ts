import { z } from 'zod';
import { download, json, route, text } from './kit/route.ts';
import { idText, plainText, timestamp } from './kit/text.ts';
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
  progress: z.number().nullish(),
});
export type LogEntry = z.infer<typeof LogEntry>;

export const logs = {
  list: route({
    method: 'GET',
    path: '/api/log/list',
    access: 'loggedIn',
    summary: 'The runs of jobs: for an ADMIN all, otherwise one’s own and those of readable kapsules.',
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
};

const LogKind = z.enum(['sys', 'app']);
export type LogKind = z.infer<typeof LogKind>;
const logFile = z.object({ kind: LogKind, fileName: plainText(limits.nameCharacters) });

/** The files the service itself writes about its own work. */
export const systemLogs = {
  list: route({
    method: 'GET',
    path: '/api/log/sys/list',
    access: 'admin',
    summary: 'The names of the system and app log files, newest first.',
    answer: json(z.object({ sys: z.array(z.string()), app: z.array(z.string()) })),
  }),
  content: route({
    method: 'GET',
    path: '/api/log/sys/:kind/:fileName/content',
    access: 'admin',
    summary: 'The end of a log file as text, 2 MiB at most.',
    params: logFile,
    answer: text,
  }),
  download: route({
    method: 'GET',
    path: '/api/log/sys/:kind/:fileName/download',
    access: 'admin',
    summary: 'Download a log file.',
    params: logFile,
    answer: download('text/plain; charset=utf-8'),
  }),
};
