import { type LogLine, visible } from '../../shared/log-view/log-lines.ts';

/** A line of a log as a row of a table. */
export interface LogRow extends LogLine {
  /** Undefined for a line without one, e.g. of a stack trace. */
  time: string | undefined;
  message: string;
  requestId: string | undefined;
  /** The line as formatted JSON, or as it is. */
  details: string;
}

function parsed(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? visible(value) : undefined;

/** The message of a line with method, path and status of its request; the whole line when it has none of them. */
function messageIn({ msg, method, path, status }: Record<string, unknown>, text: string): string {
  const request = [method, path, status].filter((part) => part !== undefined).map(String);
  return visible([textOf(msg), ...request].filter(Boolean).join(' ')) || text;
}

export function rowOf(line: LogLine): LogRow {
  const { text } = line;
  const value = parsed(text);
  if (!value) return { ...line, time: undefined, message: text, requestId: undefined, details: text };
  const pretty = JSON.stringify(value, null, 2).split('\n').map(visible).join('\n');
  return {
    ...line,
    time: textOf(value['time']),
    message: messageIn(value, text),
    requestId: textOf(value['requestId']),
    details: pretty,
  };
}
