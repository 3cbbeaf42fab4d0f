import { setTimeout } from 'node:timers/promises';
import { checkTrail, type Store, type TrailFault, type TrailReport } from '@kaptain/store';
import { readBootConfig } from '../../base/config/boot-config.ts';
import { trailSecret } from '../../base/database/open-store.ts';
import { SECOND_CHECK_MS } from '../tuning.ts';
import type { Result } from './commands.ts';
import { withStore } from './host-store.ts';

/** Verifies the chain of audit entries from its end to its beginning, while the service runs. */
export async function verifyAudit(env: NodeJS.ProcessEnv): Promise<Result> {
  const secret = trailSecret(readBootConfig(env));
  const report = await withStore(env, (store) =>
    checkTwice(store, secret, () => setTimeout(SECOND_CHECK_MS)),
  );
  const isWhole = report.faults.length + report.unsealed === 0;
  return { isDone: isWhole, isReport: true, message: sentence(report) };
}

/**
 * Reports only faults that a second check confirms: a standalone MongoDB may show the end record shortly before its
 * entry.
 */
export async function checkTwice(
  store: Store,
  secret: () => Buffer,
  pause: () => Promise<unknown>,
): Promise<TrailReport> {
  const before = await checkTrail(store, secret);
  if (before.faults.length === 0) return before;
  await pause();
  const report = await checkTrail(store, secret);
  const nameOf = ({ number, id, kind }: TrailFault) => `${number ?? id} ${kind}`;
  const namesBefore = new Set(before.faults.map(nameOf));
  return { ...report, faults: report.faults.filter((fault) => namesBefore.has(nameOf(fault))) };
}

function sentence({ sealed, waiting, unsealed, faults }: TrailReport): string {
  const [first, ...others] = faults;
  const entries = sealed + waiting;
  const later = waiting > 0 ? ` The newest ${waiting} of them are not sealed yet.` : '';
  if (!first && unsealed === 0)
    return `The audit trail is whole: its ${entries} entries are as they were written.${later}`;
  if (entries > 1 && faults.length >= entries)
    return 'The audit trail was sealed with another secret: use the KAPTAIN_PEPPER or the folder keys with which it was written.';
  const more = others.length > 0 ? `, and ${others.length} more are not right` : '';
  const wrong = [
    ...(first ? [`${wordsFor(first)}${more}`] : []),
    ...(unsealed > 0 ? [`${unsealed} entries are not sealed, so nothing can be said of them`] : []),
  ];
  return `The audit trail is not whole: ${wrong.join('; ')}.`;
}

function wordsFor({ number, id, kind, entry }: TrailFault): string {
  const what = entry ? ` (${entry.id}: ${entry.action} by ${entry.actor}, ${entry.at})` : '';
  const name = number === undefined ? `${entry ? '' : ` ${id}`} that is not sealed yet` : ` ${number}`;
  if (kind === 'missing') return `entry${name} is missing`;
  if (kind === 'end') return `its end at entry ${number} was moved`;
  return `entry${name}${what} was changed`;
}
