import type { Lock } from '@kaptain/contract/locks';
import { minutesAgo } from './random.ts';

/** The last day of the month before the previous one. */
function lastClosedDay(): string {
  const now = new Date(minutesAgo(0));
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 0)).toISOString().slice(0, 10);
}

/** A closed period that only the owner opens again, and a comment that stays once it is agreed. */
export const closingLocks = (): Lock[] => [
  {
    name: 'Closed months',
    closes: 'when',
    conditions: [{ on: 'field', field: 'Due', is: 'atMost', value: lastClosedDay() }],
    openers: 'OWNER',
  },
  {
    name: 'Agreed',
    fields: ['Comment'],
    closes: 'when',
    conditions: [{ on: 'field', field: 'Status', is: 'equals', value: 'agreed' }],
    openers: 'DELETE',
  },
];
