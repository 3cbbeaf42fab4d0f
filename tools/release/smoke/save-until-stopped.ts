import { request } from 'node:http';

const WRITERS = 8;

/** Saves one granule on a connection of its own: the status, or how the connection failed. */
function save(url: string, token: string, id: string, key: string): Promise<number | string> {
  const body = JSON.stringify({ granules: [{ key, data: { Comment: key } }] });
  return new Promise((resolve) => {
    const call = request(
      `${url}/api/kapsule/${id}/granules`,
      {
        method: 'PUT',
        agent: false,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      },
      (answer) => {
        answer.once('error', () => resolve('cut')).once('end', () => resolve(answer.statusCode ?? 0));
        answer.resume();
      },
    );
    call.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'));
    call.end(body);
  });
}

/** Writes from several connections until the service is gone: what it answered to each key. */
export async function saveUntilStopped(
  url: string,
  token: string,
  id: string,
  stop: (savedSoFar: number) => void,
): Promise<Map<string, number | string>> {
  const outcomes = new Map<string, number | string>();
  let saved = 0;
  const write = async (writer: number) => {
    for (let count = 0; ; count++) {
      const key = `load-${writer}-${count}`;
      const outcome = await save(url, token, id, key);
      outcomes.set(key, outcome);
      if (outcome === 200) stop(++saved);
      if (outcome === 'ECONNREFUSED') return;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  return outcomes;
}
