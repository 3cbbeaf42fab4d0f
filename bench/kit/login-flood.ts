import { Agent, get } from 'node:http';
import autocannon from 'autocannon';
import { p99 } from './times.ts';

/** Sends wrong logins of many names from many addresses, so that neither lockout nor rate limit rejects them early. */
export async function floodLogins(url: string, seconds: number): Promise<number> {
  let count = 0;
  const result = await autocannon({
    url: `${url}/auth/login`,
    method: 'POST',
    connections: 50,
    duration: seconds,
    setupClient(client) {
      const next = () => {
        count += 1;
        client.setHeaders({
          'content-type': 'application/json',
          'x-forwarded-for': `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`,
        });
        client.setBody(JSON.stringify({ username: `nobody ${count}`, password: 'a guess' }));
      };
      next();
      client.on('response', next);
    },
  });
  await waitForQueue(url);
  return result.requests.total;
}

/** Sends one more login, queued behind the abandoned ones: its answer means that the queue is empty. */
async function waitForQueue(url: string): Promise<void> {
  await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.255.255.255' },
    body: JSON.stringify({ username: 'the last one', password: 'a guess' }),
  });
}

/** The p99 latency in ms of one client that sends a request shortly after each answer. */
export async function latencies(
  url: string,
  headers: Record<string, string>,
  seconds: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const once = () =>
    new Promise<number>((resolve, reject) => {
      const start = performance.now();
      const request = get(url, { headers, agent }, (response) => {
        response.resume();
        response.once('end', () => resolve(performance.now() - start));
      });
      request.once('error', reject);
    });
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    times.push(await once());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  agent.destroy();
  return p99(times);
}
