import { ErrorAnswer, errorCodes } from '@kaptain/contract';
import type { Answer } from './answers.ts';
import type { Outcome, Shot } from './wire.ts';
import type { World } from './world.ts';

const STACK = /\n\s+at |\bnode:internal|\.ts:\d+|node_modules/;
const allowedErrors = new Set(Object.values(errorCodes).map(([status]) => status));
/** 501 and 502 are no codes of ours; 500 is one, and always a bug. */
const deliberate = new Set([503, 507]);

/** Pages for browsers: an expired link, and a console that is not built. */
const isPage = ({ headers, status }: Answer): boolean =>
  headers.get('content-type')?.startsWith('text/html') === true && (status === 401 || status === 503);

function problemOfError(answer: Answer, isHead: boolean, world: World): string | undefined {
  const { status, body } = answer;
  if (status >= 500 && !deliberate.has(status)) return `status ${status}`;
  if (isPage(answer) || isHead) return undefined;
  const text = body.toString('utf8');
  if (STACK.test(text)) return `an error answer with a stack: ${text.slice(0, 300)}`;
  if (text.includes(world.service.folder)) return `an error answer with a path: ${text.slice(0, 300)}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `an error answer that is no JSON: ${text.slice(0, 200)}`;
  }
  const error = ErrorAnswer.strict().safeParse(value);
  if (!error.success) return `an error answer of another shape: ${text.slice(0, 200)}`;
  const known = Object.hasOwn(errorCodes, error.data.code)
    ? errorCodes[error.data.code as 'INTERNAL']
    : undefined;
  if (known?.[0] !== status || error.data.statusCode !== status || !allowedErrors.has(status))
    return `code ${error.data.code} with status ${status}`;
  return undefined;
}

function leak(answer: Answer, shot: Shot, world: World): string | undefined {
  const found = world.canaries.find((canary) => answer.body.includes(canary) && !shot.bytes.includes(canary));
  return found === undefined ? undefined : `the secret ${found} in an answer ${answer.status}`;
}

/** A proxy in front of the service may have used the other Host header. */
function hostProblem({ bytes }: Shot, [first]: readonly Answer[]): string | undefined {
  const [head = ''] = bytes.toString('latin1', 0, 20_000).split('\r\n\r\n');
  const hosts = head.match(/^host:/gim)?.length ?? 0;
  return hosts > 1 && first && first.status < 400
    ? 'a request with two Host headers was accepted'
    : undefined;
}

/** The answer stopped before its end and the connection was closed. */
export const ENDED_EARLY = 'the answer ended in the middle';

/** The fault of an answer to an attack; undefined when there is none. */
export function problemOf(shot: Shot, outcome: Outcome, world: World, limitMs: number): string | undefined {
  const { reading, isLate, isClosedByService } = outcome;
  if (reading.problem !== undefined) return `no HTTP: ${reading.problem}`;
  for (const [index, answer] of reading.answers.entries()) {
    const isHead = shot.methods[Math.min(index, shot.methods.length - 1)] === 'HEAD';
    const problem =
      (answer.status >= 400 ? problemOfError(answer, isHead, world) : undefined) ?? leak(answer, shot, world);
    if (problem !== undefined) return problem;
  }
  const accepted = hostProblem(shot, reading.answers);
  if (accepted !== undefined) return accepted;
  if (outcome.error === 'ECONNREFUSED') return 'the port is closed';
  if (isLate) return `no complete answer after ${limitMs} ms`;
  if (shot.isCut || reading.isEndless) return undefined;
  if (reading.isPartial) return ENDED_EARLY;
  if (reading.answers.length === 0)
    return `no answer${isClosedByService ? ', the connection was closed' : ''} ${outcome.error ?? ''}`;
  return undefined;
}
