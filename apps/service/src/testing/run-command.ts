import { run } from '../cli/run.ts';

/** Runs a command of the command line on a data folder, in this process. */
export async function kaptain(folder: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  const env = { KAPTAIN_DATA_DIR: folder };
  try {
    const code = await run(args, { env, input: process.stdin, say, complain: say });
    return { code, text: lines.join('\n') };
  } catch (error) {
    return { code: 1, text: (error as Error).message };
  }
}
