import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

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

export type Encoding = 'br' | 'gzip' | 'identity';

export interface ConsoleFile {
  type: string;
  /** Its name contains a hash of its content, so a browser may cache it without limit. */
  isHashed: boolean;
  body(encoding: Encoding): Promise<Buffer>;
}

const compressors = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
};

function consoleFile(path: string, content: Buffer): ConsoleFile {
  const type = types[extname(path)] ?? 'application/octet-stream';
  const isText = /text|json|svg|javascript|manifest/.test(type);
  // Compressed on the first request and then cached: the start stays fast, and later answers need no compression.
  const made = new Map<Encoding, Promise<Buffer>>([['identity', Promise.resolve(content)]]);
  return {
    type,
    isHashed: path.startsWith('/assets/'),
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

function read(folder: string): [path: string, content: Buffer][] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        return [`/${file.slice(folder.length + 1).replaceAll(sep, '/')}`, readFileSync(file)];
      });
  } catch {
    return [];
  }
}

/** The built console in memory: no request names a file on the disk, so none can leave the folder. */
export function readConsoleFiles(folder: string): { indexHtml?: string; files: Map<string, ConsoleFile> } {
  const all = read(folder);
  const index = all.find(([path]) => path === '/index.html');
  const files = new Map(
    all
      .filter(([path]) => path !== '/index.html' && path !== '/config.json')
      .map(([path, content]) => [path, consoleFile(path, content)]),
  );
  return { files, ...(index && { indexHtml: index[1].toString('utf8') }) };
}
