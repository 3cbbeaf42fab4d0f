/** The part of autocannon that the benches use; the package has no types. */
declare module 'autocannon' {
  interface Client {
    setHeaders(headers: Record<string, string>): void;
    setBody(body: string): void;
    on(event: 'response', listener: () => void): void;
  }
  interface Request {
    path: string;
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    /** Called before each request. */
    setupRequest?: (request: Request) => Request;
  }
  interface Options {
    url: string;
    connections: number;
    duration: number;
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    /** Sent in sequence, repeatedly. */
    requests?: Request[];
    setupClient?: (client: Client) => void;
  }
  interface Result {
    requests: { total: number };
    latency: { p99: number };
    duration: number;
    non2xx: number;
    errors: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
