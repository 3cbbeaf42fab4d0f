import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call, Caller } from '../../base/call/call.ts';

/** The address of the service as the caller used it. The Host header comes from the caller: only a valid host is used. */
export function originOf({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string {
  const origin = `${protocol}://${host}`;
  return URL.canParse(origin) ? new URL(origin).origin : `${protocol}://localhost`;
}

/** The request of a handler; computed on demand, because most handlers use little of it. */
export class RequestCall implements Call {
  readonly caller: Caller | undefined;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  #gone: AbortSignal | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, caller: Caller | undefined) {
    this.#request = request;
    this.#reply = reply;
    this.caller = caller;
  }

  get requestId(): string {
    return this.#request.id;
  }

  get ip(): string {
    // Undefined when the connection was closed before its address was read for the first time.
    return (this.#request as { ip?: string }).ip ?? '';
  }

  get userAgent(): string {
    return this.#request.headers['user-agent'] ?? '';
  }

  get hostname(): string {
    return this.#request.hostname;
  }

  get origin(): string {
    return originOf(this.#request);
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return typeof value === 'string' ? value : undefined;
  }

  gone(): AbortSignal {
    if (this.#gone) return this.#gone;
    const { raw } = this.#reply;
    const controller = new AbortController();
    if (raw.destroyed) controller.abort();
    else raw.once('close', () => raw.writableFinished || controller.abort());
    return (this.#gone = controller.signal);
  }
}
