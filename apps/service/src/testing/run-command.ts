import { Readable } from 'node:stream';
import { run } from '../cli/run.ts';
import { errorText } from '../config/error-text.ts';

export interface CommandResult {
  code: number;
  text: string;
}

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
    const code = await run(args, { env, input: Readable.from([Buffer.from(typed)]), say, complain: say });
    return { code, text: lines.join('\n') };
  } catch (error) {
    return { code: 1, text: errorText(error) };
  }
}
