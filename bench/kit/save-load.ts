import autocannon from 'autocannon';

/** One round: PUTs of one granule each, to every address at once. */
export interface Round {
  urls: string[];
  kapsules: string[];
  headers: Record<string, string>;
  /** To each address. */
  connections: number;
  seconds: number;
}

export interface Figures {
  perSecond: number;
  p99: number;
}

/** The load has a process of its own, so that it takes no time of any server's event loop. */
const run = `${process.pid}.${Date.now()}`;
let count = 0;

async function load(url: string, { kapsules, headers, connections, seconds }: Round): Promise<Figures> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: kapsules.map((kapsule) => ({
      method: 'PUT',
      path: `/api/kapsule/${kapsule}/granules`,
      headers: { ...headers, 'content-type': 'application/json' },
      setupRequest(request) {
        count += 1;
        const data = { comment: `Comment ${count} of the bench`, amount: count, state: 'open' };
        return { ...request, body: JSON.stringify({ granules: [{ key: `${run}.${count}`, data }] }) };
      },
    })),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors.`);
  return { perSecond: result.requests.total / result.duration, p99: result.latency.p99 };
}

process.on('message', (round: Round) => {
  Promise.all(round.urls.map((url) => load(url, round))).then(
    (all) =>
      process.send?.({
        perSecond: all.reduce((sum, { perSecond }) => sum + perSecond, 0),
        p99: Math.max(...all.map(({ p99 }) => p99)),
      }),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.send?.('ready');
