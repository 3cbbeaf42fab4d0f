/** One answer as received. */
export interface Answer {
  status: number;
  headers: Map<string, string>;
  body: Buffer;
}

export interface Reading {
  answers: Answer[];
  /** Why the bytes are not valid HTTP. */
  problem?: string;
  /** Bytes of an incomplete answer. */
  isPartial: boolean;
  /** The beginning of an endless answer: server-sent events. */
  isEndless: boolean;
}

const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [ -~]*$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([\t\x20-\x7e\x80-\xff]*)$/;

/** A chunked body and the offset after it; undefined when it is incomplete. */
function readChunks(bytes: Buffer, start: number): { body: Buffer; next: number } | 'partial' | 'broken' {
  const chunks: Buffer[] = [];
  let index = start;
  for (;;) {
    const end = bytes.indexOf('\r\n', index);
    if (end < 0) return bytes.length - index > 20 ? 'broken' : 'partial';
    const text = bytes.toString('latin1', index, end);
    if (!/^[0-9a-f]{1,8}$/i.test(text)) return 'broken';
    const size = Number.parseInt(text, 16);
    const next = end + 2 + size + 2;
    if (bytes.length < next) return 'partial';
    if (bytes.toString('latin1', next - 2, next) !== '\r\n') return 'broken';
    if (size === 0) return { body: Buffer.concat(chunks), next };
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    index = next;
  }
}

function readHead(bytes: Buffer, start: number) {
  const end = bytes.indexOf('\r\n\r\n', start);
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', start, end).split('\r\n');
  const status = Number(STATUS_LINE.exec(first)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) return { problem: `the status line is ${JSON.stringify(first.slice(0, 80))}` };
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined)
      return { problem: `a header line is ${JSON.stringify(line.slice(0, 80))}` };
    const key = name.toLowerCase();
    if (/^(content-length|transfer-encoding|content-type)$/.test(key) && headers.has(key))
      return { problem: `the header ${key} is there twice` };
    headers.set(key, value);
  }
  return { status, headers, next: end + 4 };
}

/** Parses all answers on a connection; `methods` are those of the requests, because answers to HEAD have no body. */
export function readAnswers(bytes: Buffer, methods: readonly string[], isClosed: boolean): Reading {
  const answers: Answer[] = [];
  const done = (more: Partial<Reading> = {}): Reading => ({
    answers,
    isPartial: false,
    isEndless: false,
    ...more,
  });
  let index = 0;
  while (index < bytes.length) {
    const head = readHead(bytes, index);
    if (!head) return done({ isPartial: true });
    if (head.problem !== undefined) return done({ problem: head.problem });
    const { status, headers, next } = head;
    index = next;
    if (status < 200) continue;
    const wasHead = methods[Math.min(answers.length, methods.length - 1)] === 'HEAD';
    // A request that could not be parsed has no method, so its answer has a body.
    const isHead =
      wasHead && (index === bytes.length || bytes.toString('latin1', index, index + 5) === 'HTTP/');
    const length = headers.get('content-length');
    const isEndless = headers.get('content-type')?.startsWith('text/event-stream') === true;
    let body: Buffer = Buffer.alloc(0);
    if (!isHead && status !== 204 && status !== 304) {
      if (headers.get('transfer-encoding') === 'chunked') {
        const read = readChunks(bytes, index);
        if (read === 'broken') return done({ problem: 'a chunk of the answer is broken' });
        if (read === 'partial') return done({ isPartial: true, isEndless });
        ({ body, next: index } = read);
      } else if (length !== undefined) {
        const end = index + Number(length);
        if (bytes.length < end) return done({ isPartial: true, isEndless });
        body = bytes.subarray(index, end);
        index = end;
      } else {
        // Without a length it ends with the connection, as answers to HTTP/1.0 do.
        if (!isClosed) return done({ isPartial: true, isEndless });
        body = bytes.subarray(index);
        index = bytes.length;
      }
    }
    answers.push({ status, headers, body });
  }
  return done();
}
