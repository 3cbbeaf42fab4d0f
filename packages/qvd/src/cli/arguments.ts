import { parseArgs } from 'node:util';
import type { CatOptions } from './commands.ts';

const USAGE = `Usage:
  qvd info FILE
  qvd cat FILE --format ndjson|csv [--columns a,b] [--limit N]
  qvd check FILE`;

/** Invalid arguments of the command line. */
class UsageError extends Error {
  readonly code = 'USAGE';
}

interface Call {
  readonly command: 'info' | 'cat' | 'check';
  readonly file: string;
  readonly cat: CatOptions;
}

export function parseCall(argv: readonly string[]): Call {
  const { values, positionals } = parse(argv);
  const [command, file, ...rest] = positionals;
  if (command !== 'info' && command !== 'cat' && command !== 'check') throw new UsageError(USAGE);
  if (file === undefined || rest.length > 0) throw new UsageError(USAGE);
  const { format = 'ndjson', limit, columns } = values;
  if (format !== 'ndjson' && format !== 'csv') throw new UsageError(`Unknown format: ${format}. ${USAGE}`);
  if (limit !== undefined && !/^\d{1,15}$/.test(limit))
    throw new UsageError(`Not a number of rows: ${limit}.`);
  return {
    command,
    file,
    cat: {
      format,
      limit: limit === undefined ? Number.POSITIVE_INFINITY : Number(limit),
      columns: columns?.split(','),
    },
  };
}

function parse(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    const options = { format: text, columns: text, limit: text };
    return parseArgs({ args: [...argv], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : USAGE);
  }
}
