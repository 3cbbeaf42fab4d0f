import { resetPassword, unlock } from './commands.ts';
import { withStore } from './host-store.ts';
import { newPasswordFrom, type PasswordInput } from './password-input.ts';

export interface Terminal {
  env: NodeJS.ProcessEnv;
  input: PasswordInput;
  say: (line: string) => void;
  complain: (line: string) => void;
}

const HELP = `Commands for the host of the service; it may run meanwhile. The data folder is KAPTAIN_DATA_DIR, or data.

  npm run kaptain -- unlock <user>           end the lock of a user
  npm run kaptain -- reset-password <user>   set a new password; asks for it, or reads it from standard input
  npm run kaptain -- help                    show this`;

const exit = { ok: 0, failed: 1, usage: 2 } as const;

/** Runs one command and answers with the exit code of the process. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { env, input, say, complain } = terminal;
  const [command, name, ...rest] = args;
  if (command === undefined || command === 'help' || command === '--help') {
    say(HELP);
    return command === undefined ? exit.usage : exit.ok;
  }
  if (command !== 'unlock' && command !== 'reset-password') {
    complain(`There is no command "${command}".\n\n${HELP}`);
    return exit.usage;
  }
  if (name === undefined || rest.length > 0) {
    // Passwords are no arguments: every user of the host could read them in the list of processes.
    complain(`${command} takes exactly one user name.\n\n${HELP}`);
    return exit.usage;
  }
  const result =
    command === 'unlock'
      ? await withStore(env, (store) => unlock(store, name))
      : await withStore(env, (store) => resetPassword(store, name, () => newPasswordFrom(input, say)));
  (result.isDone ? say : complain)(result.message);
  return result.isDone ? exit.ok : exit.failed;
}
