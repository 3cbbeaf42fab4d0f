import { z } from 'zod';
import { download, json, route, text } from '../kit/route.ts';
import { plainText, timestamp } from '../kit/text.ts';
import { limits } from '../rules/limits.ts';

const LogKind = z.enum(['sys', 'app']);
export type LogKind = z.infer<typeof LogKind>;
const logFile = z.object({ kind: LogKind, fileName: plainText(limits.nameCharacters) });
/** Extra: each of several instances has its own files; another one than this answers 421. */
const instance = { instance: plainText(limits.nameCharacters).optional() };
const ofInstance = { query: z.object(instance), errors: ['OTHER_INSTANCE'] } as const;

/** The end of a log file, or what was written since a cursor. */
export const LogTail = z.object({
  text: z.string(),
  /** True when lines are missing between the previous text and this one. */
  isCut: z.boolean(),
  /** The cursor for the next call. */
  cursor: z.string(),
});
export type LogTail = z.infer<typeof LogTail>;

export const LogFileInfo = z.looseObject({
  kind: LogKind,
  fileName: z.string(),
  bytes: z.number(),
  /** When it was last written. */
  updatedAt: timestamp,
  /** The instance that has the file, where several may share a database. */
  instance: z.string().optional(),
});
export type LogFileInfo = z.infer<typeof LogFileInfo>;

/** The log files of the service itself. */
export const systemLogs = {
  list: route({
    method: 'GET',
    path: '/api/log/sys/list',
    access: 'admin',
    summary: 'The names of the system and app log files, newest first.',
    answer: json(z.object({ sys: z.array(z.string()), app: z.array(z.string()) })),
  }),
  files: route({
    method: 'GET',
    path: '/api/log/sys/files',
    access: 'admin',
    summary: 'The system and app log files with their sizes and dates, newest first.',
    extra: true,
    ...ofInstance,
    answer: json(z.array(LogFileInfo)),
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
    ...ofInstance,
    answer: download('text/plain; charset=utf-8'),
  }),
  tail: route({
    method: 'GET',
    path: '/api/log/sys/:kind/:fileName/tail',
    access: 'admin',
    summary: 'The end of a log file; with the cursor of an answer, what was written since, across rotation.',
    extra: true,
    params: logFile,
    query: z.object({ cursor: z.string().max(100).optional(), ...instance }),
    answer: json(LogTail),
    errors: ['OTHER_INSTANCE'],
  }),
};
