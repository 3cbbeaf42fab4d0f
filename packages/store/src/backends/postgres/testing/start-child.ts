import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PostgresOptions } from '../config.ts';

const SCRIPT = fileURLToPath(new URL('./child.ts', import.meta.url));

/** Starts the test's own process; `onLine` may kill it with the function it is given. Answers with what it said. */
export async function startChild(
  options: PostgresOptions,
  task: string,
  count = 0,
  onLine: (line: string, kill: () => void) => void = () => undefined,
): Promise<{ lines: string[]; errors: string }> {
  const args = [SCRIPT, JSON.stringify(options), task, String(count)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter(Boolean)) {
      lines.push(line);
      onLine(line, () => child.kill('SIGKILL'));
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  await once(child, 'close');
  return { lines, errors };
}
