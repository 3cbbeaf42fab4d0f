import { api, type LogKind, type Route } from '@kaptain/contract';
import { logFileNames } from '../../base/logging/log-files.ts';
import { openFile, readPart } from '../../base/logging/open-file.ts';
import { SUPPORT_LINES, SUPPORT_LOG_BYTES } from '../tuning.ts';
import { Pseudonyms, withoutValues } from './redact.ts';

type Line = Record<string, unknown>;

/** Fields whose values are the service's own: numbers, names of actions, ids of requests, jobs and objects. */
const plainFields = [
  'time',
  'level',
  'requestId',
  'method',
  'status',
  'ms',
  'action',
  'result',
  'entry',
  'check',
  'code',
  'jobId',
  'attempt',
  'generation',
  'version',
  'pid',
] as const;

const templates = Object.values(api).flatMap((routes) =>
  Object.values<Route>(routes).map(({ path }) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
  })),
);

/** The template of a path: its parts may be keys of rows or names. */
const templateOf = (path: string): string =>
  templates.find(({ pattern }) => pattern.test(path))?.path ?? '(another path)';

/** Type, code and stack of an error, and its message without values. */
function errorOf(value: unknown): Line {
  const { type, code, message, stack } = value as Record<string, unknown>;
  const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => /^\s+at /.test(line)) : [];
  const shownFrames = frames.map((line) => line.trim().replaceAll(/(?:file:\/\/)?[^\s()]*[/\\]/g, ''));
  return {
    type,
    code,
    message: typeof message === 'string' ? withoutValues(message) : undefined,
    stack: shownFrames,
  };
}

class Redaction {
  readonly #users = new Pseudonyms('user');
  readonly #addresses = new Pseudonyms('address');

  line(text: string): Line {
    let line: Line;
    try {
      line = JSON.parse(text) as Line;
    } catch {
      return { msg: '(a line that is not JSON)' };
    }
    const plain: Line = Object.fromEntries(plainFields.map((field) => [field, line[field]]));
    const { msg, reason, path, user, ip, err } = line;
    if (typeof msg === 'string') plain['msg'] = withoutValues(msg);
    if (typeof reason === 'string') plain['reason'] = withoutValues(reason);
    if (typeof path === 'string') plain['path'] = templateOf(path);
    if (typeof user === 'string') plain['user'] = this.#users.of(user);
    if (typeof ip === 'string' && ip !== '') plain['ip'] = this.#addresses.of(ip);
    if (typeof err === 'object' && err !== null) plain['err'] = errorOf(err);
    return plain;
  }
}

async function lastLines(folder: string, kind: LogKind): Promise<string[]> {
  const lines: string[] = [];
  for (const name of await logFileNames(folder, kind)) {
    await using file = await openFile(folder, name);
    if (!file) continue;
    const from = Math.max(0, file.size - SUPPORT_LOG_BYTES);
    const text = (await readPart(file, from, file.size - from)).toString('utf8');
    // A part of a file begins in the middle of a line.
    const whole = text.split('\n').slice(from > 0 ? 1 : 0);
    lines.unshift(...whole.filter((line) => line !== ''));
    if (lines.length >= SUPPORT_LINES || from > 0) break;
  }
  return lines.slice(-SUPPORT_LINES);
}

/** The last lines of both logs, without what belongs to people and rows. */
export async function redactedLogs(folder: string): Promise<Record<'system' | 'app', Line[]>> {
  const redaction = new Redaction();
  const redacted = async (kind: LogKind) =>
    (await lastLines(folder, kind)).map((line) => redaction.line(line));
  return { system: await redacted('sys'), app: await redacted('app') };
}
