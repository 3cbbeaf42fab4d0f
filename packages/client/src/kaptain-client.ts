import { api, type Client, createClient, type KaptainApi } from '@kaptain/contract';

export interface ConnectionOptions {
  /** The address of the service, e.g. `https://kaptain.example.com`. */
  url: string;
  /** An API key, which opens the data API, or the `accessToken` of a login. */
  token?: string;
  /** Replaces the global `fetch`, e.g. for a proxy or an own certificate authority. */
  fetch?: typeof fetch;
}

export type KaptainClient = Client<KaptainApi>;

/** All calls of the service as functions; downloads are responses whose body is a stream. */
export function kaptainClient({ url, token, fetch }: ConnectionOptions): KaptainClient {
  return createClient(api, {
    baseUrl: url.replace(/\/+$/, ''),
    token: () => token ?? null,
    onUnauthorized: () => undefined,
    ...(fetch && { fetch }),
  });
}
