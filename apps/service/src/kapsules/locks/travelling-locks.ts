import type { Lock } from '@kaptain/contract/locks';

/** Whether a lock means the same in another service: groups and people of this one do not travel. */
export const travels = ({ conditions }: Lock): boolean =>
  conditions.every(({ on }) => on === 'field' || on === 'time');

/** The locks after a .kap file with these was taken in: those that no file has stay. */
export const withLocksOfFile = (stored: readonly Lock[], inFile: readonly Lock[]): Lock[] => [
  ...stored.filter((lock) => !travels(lock)),
  ...inFile,
];
