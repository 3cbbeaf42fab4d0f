import { Readable } from 'node:stream';
import { errorText } from '../base/errors/error-text.ts';
import { run } from '../operations/cli/run.ts';

interface CommandResult {
  code: number;
  text: string;
}

/** These commands run in the process of the test, where the service can't be told to stop. */
export const startService = (): Promise<never> =>
  Promise.reject(new Error('No test starts the service here.'));

/** Runs a command of the command line on a data folder, in this process. */
export const kaptain = (folder: string, ...args: string[]): Promise<CommandResult> =>
  runCommand(args, { KAPTAIN_DATA_DIR: folder });

/** The same with any environment and with a text on standard input. */
export async function runCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  typed = '',
): Promise<CommandResult> {
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  try {
    const code = await run(args, {
      env,
      input: Readable.from([Buffer.from(typed)]),
      say,
      complain: say,
      startService,
    });
    return { code, text: lines.join('\n') };
  } catch (error) {
    return { code: 1, text: errorText(error) };
  }
}
