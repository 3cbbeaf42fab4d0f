import { Agent, request } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';

interface Sent {
  token?: string;
  key?: string;
  body?: unknown;
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
  text: string;
}

/**
 * A client of a load balancer whose certificate is self-signed. Like a browser it keeps connections open, and repeats a
 * request that met one which the load balancer was just closing, as nginx does when it reads its configuration again.
 */
export function balancedClient(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 6, rejectUnauthorized: false });
  const call = (method: string, path: string, given: Sent = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { token, key, body } = given;
      const sent = request(
        url + path,
        {
          method,
          agent,
          headers: {
            ...(token && { authorization: `Bearer ${token}` }),
            ...(key && { 'x-api-key': key, 'x-kaptain-user': 'CORP\\ann' }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.once('error', reject);
          response.once('end', () => {
            const isJson = text.startsWith('{') || text.startsWith('[');
            const parsed = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
            resolve({ status: response.statusCode ?? 0, body: parsed, text });
          });
        },
      );
      sent.once('error', (error: NodeJS.ErrnoException) => {
        const wasClosing = sent.reusedSocket && error.code === 'ECONNRESET';
        if (wasClosing) resolve(call(method, path, given));
        else reject(error);
      });
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return { call, close: () => agent.destroy() };
}

export type BalancedClient = ReturnType<typeof balancedClient>;

/** Reads and saves one after the other in some loops, and notes what failed. */
export function balancedLoad(client: BalancedClient, kapsuleId: string, token: string, loops = 4) {
  const over = new AbortController();
  const failed: string[] = [];
  let served = 0;
  const once = async (method: string, path: string, body?: unknown) => {
    const at = new Date().toISOString().slice(11, 23);
    const answer = await client.call(method, path, { token, body }).catch((error: unknown) => {
      failed.push(`${at} ${method} ${String(error)}`);
    });
    if (!answer) return;
    if (answer.status === 200) served += 1;
    else failed.push(`${at} ${method} ${answer.status} ${answer.text.slice(0, 120)}`);
  };
  const loop = async (number: number) => {
    for (let count = 0; !over.signal.aborted; count += 1) {
      await once('GET', `/api/kapsule`);
      const granules = [{ key: `${number}-${count % 50}`, data: { comment: String(count) } }];
      await once('PUT', `/api/kapsule/${kapsuleId}/granules`, { granules });
      await wait(20);
    }
  };
  const running = Array.from({ length: loops }, (_, number) => loop(number));
  return {
    failed,
    served: () => served,
    async end(): Promise<string[]> {
      over.abort();
      await Promise.all(running);
      return failed;
    },
  };
}
