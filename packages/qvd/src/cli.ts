import { once } from 'node:events';
import { parseCall } from './cli/arguments.ts';
import { cat, check, info, type Print } from './cli/commands.ts';
import { openQvd } from './node.ts';

const print: Print = async (text) => {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
};

/** A reader of the output may stop early (`| head`); EPIPE is not a failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 2);
});

try {
  const call = parseCall(process.argv.slice(2));
  await using qvd = await openQvd(call.file);
  if (call.command === 'info') await info(qvd, print);
  else if (call.command === 'check') await check(qvd, print);
  else await cat(qvd, print, call.cat);
} catch (error) {
  // One JSON line for programs: QvdFormatError, a system error such as ENOENT, or a usage error.
  const { code = 'FAILED', message, field = null, offset = null } = error as Error & Record<string, unknown>;
  process.stderr.write(`${JSON.stringify({ code, message, field, offset })}\n`);
  process.exitCode = 2;
}
