import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { commonHeaders } from './headers.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

type Encoding = 'br' | 'gzip' | 'identity';

/** A file that is served from memory. */
export interface MemoryFile {
  type: string;
  /** Its address contains a hash of its content, so a browser may cache it without limit. */
  isHashed: boolean;
  body(encoding: Encoding): Promise<Buffer>;
}

const compressors = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
};

export function memoryFile(name: string, content: Buffer, isHashed: boolean): MemoryFile {
  const type = types[extname(name)] ?? 'application/octet-stream';
  const isText = /text|json|svg|javascript|manifest/.test(type);
  // Compressed on the first request and then cached: the start stays fast, and later answers need no compression.
  const made = new Map<Encoding, Promise<Buffer>>([['identity', Promise.resolve(content)]]);
  return {
    type,
    isHashed,
    body(encoding) {
      const wanted = isText ? encoding : 'identity';
      const ready = made.get(wanted);
      if (ready || wanted === 'identity') return ready ?? Promise.resolve(content);
      const compressed = compressors[wanted](content);
      made.set(wanted, compressed);
      return compressed;
    },
  };
}

function encodingFor({ headers }: FastifyRequest): Encoding {
  const accepted = headers['accept-encoding']?.toString() ?? '';
  if (/\bbr\b(?!;\s*q=0(\.0*)?(,|$))/.test(accepted)) return 'br';
  return /\bgzip\b(?!;\s*q=0(\.0*)?(,|$))/.test(accepted) ? 'gzip' : 'identity';
}

/** Sends a file in the encoding that the caller accepts. */
export async function sendFile(
  file: MemoryFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const encoding = encodingFor(request);
  const identity = await file.body('identity');
  const body = await file.body(encoding);
  if (body !== identity) reply.header('content-encoding', encoding);
  return reply
    .headers(commonHeaders)
    .header('vary', 'Accept-Encoding, Origin')
    .header('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    .type(file.type)
    .send(body);
}
