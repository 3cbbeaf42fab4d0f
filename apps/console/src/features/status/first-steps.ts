import type { StatusCheck } from '@kaptain/contract/status';
import type { Words } from '../../variants/variant.ts';

interface FirstStep {
  title: string;
  /** The step, in a sentence. */
  text: string;
  isDone: boolean;
  /** The page where it is done; absent when that is on this page. */
  to?: string;
}

interface Installation {
  checks: readonly StatusCheck[];
  /** Undefined while unknown. */
  kapsules: number | undefined;
  users: number | undefined;
}

/** The steps from an empty installation to one in use, in their order; a step without a check does not apply. */
export function firstSteps({ checks, kapsules, users }: Installation, words: Words): FirstStep[] {
  const stateOf = (name: string) => checks.find((check) => check.name === name)?.state;
  const { platform, database, kapsule, service } = words;
  const backup = stateOf('Last backup');
  return [
    {
      title: `Connect ${platform}`,
      text: 'Enter its host and credentials, and test the connection.',
      isDone: stateOf('Platform') === 'ok',
      to: '/data/setting#platform-connection',
    },
    {
      title: `Choose the ${database.one}`,
      text: 'The built-in one needs nothing; PostgreSQL or MongoDB serve several instances.',
      isDone: stateOf('Database') === 'ok',
      to: '/data/setting#database',
    },
    {
      title: `Add the first ${kapsule.one}`,
      text: 'Create one, import a .kap file, or let the data API create one.',
      isDone: (kapsules ?? 0) > 0,
      to: '/data/kapsules',
    },
    {
      title: 'Invite people',
      text: `Create users for ${service}, or import them from a CSV file.`,
      isDone: (users ?? 0) > 1,
      to: '/system/users',
    },
    ...(backup === undefined
      ? []
      : [
          {
            title: 'Make a backup',
            text: 'Above on this page, or by schedule in the settings; keep it on another machine.',
            isDone: backup === 'ok',
          },
        ]),
  ];
}
