/** An answer of another server that is longer than it may be. */
export class LongAnswerError extends Error {
  override name = 'LongAnswerError';
  constructor(host: string, maxBytes: number) {
    super(`${host} answered with more than ${maxBytes.toLocaleString('en-US')} bytes.`);
  }
}

type Fetch = (address: string, options?: RequestInit) => Promise<Response>;

/**
 * A `fetch` that ends the connection as soon as an answer is longer than `maxBytes`. The bytes are counted while they
 * arrive, after decompression, because a server may state another length than it sends.
 */
export const boundedFetch =
  (maxBytes: number): Fetch =>
  async (address, options) => {
    const response = await fetch(address, options);
    if (!response.body) return response;
    let bytes = 0;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) controller.error(new LongAnswerError(new URL(address).host, maxBytes));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(count), { status, statusText, headers });
  };
