import { ownCommand } from '../../base/config/own-command.ts';
import type { Result } from './commands.ts';
import type { PasswordInput } from './password-input.ts';

interface Terminal {
  env: NodeJS.ProcessEnv;
  input: PasswordInput;
  say: (line: string) => void;
  complain: (line: string) => void;
  /** Runs the service in this process until it is told to stop. */
  startService: () => Promise<unknown>;
}

const HELP = `Commands for the host of the service; it may run meanwhile. The data folder is KAPTAIN_DATA_DIR, or data.

  ${ownCommand} start                   run the service until it is told to stop
  ${ownCommand} health                  say whether the service of this computer is ready
  ${ownCommand} doctor                  check what commonly goes wrong, and say what to do
  ${ownCommand} support <file>          write a file for support, without secrets and names of people
  ${ownCommand} unlock <user>           end the lock of a user
  ${ownCommand} reset-password <user>   set a new password; asks for it, or reads it from standard input
  ${ownCommand} reset-second-factor <user>
                          remove the second factor of a user who has lost it; the password stays
  ${ownCommand} backup <file>           write database, settings and keys to one file
  ${ownCommand} restore <file>          bring a backup back; the service must be stopped
  ${ownCommand} db check                say whether the configured database can be used
  ${ownCommand} db copy --to=<target>   copy everything to another database; the service must be stopped
  ${ownCommand} settings list           list the saved settings, and whether the service has run with them
  ${ownCommand} settings use <generation>
                          take earlier settings, or 0 for the defaults, when the service can't start
  ${ownCommand} settings forget         forget the settings in a shared database, when the pepper they were sealed with is lost;
                          all instances must be stopped, and the next start stores those of its data folder
  ${ownCommand} audit verify            say whether the audit trail is whole, or which entry was changed
  ${ownCommand} help                    show this`;

const exit = { ok: 0, failed: 1, usage: 2 } as const;

interface Command {
  /** The number of arguments, and their names. */
  takes: [count: number, words: string];
  /** The result of the command; undefined when it keeps running. */
  run(terminal: Terminal, argument: string): Promise<Result | undefined>;
}

/** The commands that open the database of the service. */
const onStore = async () => ({ ...(await import('./host-store.ts')), ...(await import('./commands.ts')) });

// No command takes a password as an argument: every user of the host could read it in the process list. Each loads only its
// own modules: container engines run `health` every few seconds, and `start` is the supervisor.
const commands: Record<string, Command> = {
  start: {
    takes: [0, 'no further words'],
    async run({ startService }) {
      await startService();
      return undefined;
    },
  },
  health: {
    takes: [0, 'no further words'],
    run: async ({ env }) => (await import('./health.ts')).health(env),
  },
  doctor: {
    takes: [0, 'no further words'],
    run: async ({ env }) => (await import('./doctor.ts')).doctor(env),
  },
  support: {
    takes: [1, 'exactly one file name'],
    run: async ({ env }, file) => (await import('./write-support-bundle.ts')).writeSupportBundle(env, file),
  },
  unlock: {
    takes: [1, 'exactly one user name'],
    async run({ env }, user) {
      const { withStore, unlock } = await onStore();
      return withStore(env, (store) => unlock(store, user));
    },
  },
  'reset-password': {
    takes: [1, 'exactly one user name'],
    async run({ env, input, say }, user) {
      const { withStore, resetPassword } = await onStore();
      const { newPasswordFrom } = await import('./password-input.ts');
      return withStore(env, (store) => resetPassword(store, user, () => newPasswordFrom(input, say)));
    },
  },
  'reset-second-factor': {
    takes: [1, 'exactly one user name'],
    async run({ env }, user) {
      const { withStore, resetSecondFactor } = await onStore();
      return withStore(env, (store) => resetSecondFactor(store, user));
    },
  },
  backup: {
    takes: [1, 'exactly one file name'],
    run: async ({ env }, file) => (await import('./backup.ts')).backup(env, file),
  },
  'db check': {
    takes: [0, 'no further words'],
    run: async ({ env }) => (await import('./check-database.ts')).checkDatabase(env),
  },
  'db copy': {
    takes: [1, '--to=embedded, or --to= and an address like postgres://user@host:5432/database'],
    async run({ env, input, say }, target) {
      const { copyDatabase } = await import('./copy-database.ts');
      return copyDatabase(env, target.replace(/^--to=/, ''), input, say);
    },
  },
  'settings list': {
    takes: [0, 'no further words'],
    run: async ({ env }) => (await import('./settings.ts')).listSettings(env),
  },
  'settings use': {
    takes: [1, 'exactly one number of a generation'],
    run: async ({ env }, generation) => (await import('./settings.ts')).useSettings(env, generation),
  },
  'settings forget': {
    takes: [0, 'no further words'],
    async run({ env }) {
      const { withStore } = await onStore();
      const { forgetSettings } = await import('./forget-settings.ts');
      return withStore(env, forgetSettings);
    },
  },
  'audit verify': {
    takes: [0, 'no further words'],
    run: async ({ env }) => (await import('./audit.ts')).verifyAudit(env),
  },
  restore: {
    takes: [1, 'exactly one file name'],
    run: async ({ env }, file) => (await import('./restore.ts')).restore(env, file),
  },
};

/** Runs one command and returns the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { say, complain } = terminal;
  const words = ['db', 'audit', 'settings'].includes(args[0] ?? '') ? 2 : 1;
  const name = args.slice(0, words).join(' ');
  // `--to x` means the same as `--to=x`.
  const rest = args.slice(words);
  const options = rest[0] === '--to' && rest.length === 2 ? [`--to=${rest[1]}`] : rest;
  if (name === '' || name === 'help' || name === '--help') {
    say(HELP);
    return name === '' ? exit.usage : exit.ok;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    complain(`There is no command "${name}".\n\n${HELP}`);
    return exit.usage;
  }
  if (options.length !== command.takes[0]) {
    complain(`${name} takes ${command.takes[1]}.\n\n${HELP}`);
    return exit.usage;
  }
  const result = await command.run(terminal, options.at(-1) ?? '');
  if (!result) return exit.ok;
  (result.isDone || result.isReport ? say : complain)(result.message);
  return result.isDone ? exit.ok : exit.failed;
}
