/** Called with the number of bytes sent so far. */
export type OnProgress = (sent: number, total: number) => void;

function headersOf(request: XMLHttpRequest): Headers {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/).filter(Boolean);
  return new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
}

/** `fetch` that reports the progress of an upload, by XMLHttpRequest: fetch itself has no such event. */
export const fetchWithProgress =
  (onProgress: OnProgress): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const { signal } = init;
      request.open(init.method ?? 'GET', input instanceof Request ? input.url : input);
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
      request.addEventListener('load', () => {
        const { status, responseText } = request;
        const isEmpty = status === 204 || status === 304;
        resolve(new Response(isEmpty ? null : responseText, { status, headers: headersOf(request) }));
      });
      request.addEventListener('error', () => reject(new TypeError('The upload failed.')));
      request.addEventListener('abort', () => reject(new DOMException('Cancelled.', 'AbortError')));
      signal?.addEventListener('abort', () => request.abort());
      request.send((init.body ?? null) as XMLHttpRequestBodyInit | null);
    });
