import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./child.ts', import.meta.url));

interface Ended {
  lines: string[];
  errors: string;
  code: number | null;
}

/** Starts the test's own process; `onLine` may kill it with the function it is given. */
export async function startChild(
  args: string[],
  onLine: (line: string, kill: () => void) => void = () => undefined,
): Promise<Ended> {
  const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  let rest = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const complete = (rest + chunk).split('\n');
    rest = complete.pop() ?? '';
    for (const line of complete) {
      lines.push(line);
      onLine(line, () => child.kill('SIGKILL'));
    }
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { lines, errors, code };
}
