import { checkTrail, type TrailFault, type TrailReport } from '@kaptain/store';
import { readBootConfig } from '../config/boot-config.ts';
import { trailSecret } from '../config/open-store.ts';
import type { Result } from './commands.ts';
import { withStore } from './host-store.ts';

/** Walks the chain of audit entries from its end to its beginning, while the service runs. */
export async function verifyAudit(env: NodeJS.ProcessEnv): Promise<Result> {
  const secret = trailSecret(readBootConfig(env));
  const report = await withStore(env, (store) => checkTrail(store, secret));
  return { isDone: report.faults.length === 0, message: sentence(report) };
}

function sentence({ sealed, older, faults }: TrailReport): string {
  const [first, ...others] = faults;
  if (!first) {
    const before = older > 0 ? ` So are ${older} that were there before it began.` : '';
    return `The audit trail is whole: its ${sealed} entries are as they were written.${before}`;
  }
  if (sealed > 1 && faults.length >= sealed)
    return 'The audit trail was sealed with another secret: use the KAPTAIN_PEPPER or the folder keys with which it was written.';
  const more = others.length > 0 ? `, and ${others.length} more are not right` : '';
  return `The audit trail is not whole: ${wordsFor(first)}${more}.`;
}

function wordsFor({ number, kind, entry }: TrailFault): string {
  const what = entry ? ` (${entry.id}: ${entry.action} by ${entry.actor}, ${entry.at})` : '';
  if (kind === 'missing') return `entry ${number} is missing`;
  if (kind === 'end') return `its end at entry ${number} was moved`;
  if (kind === 'unsealed') return 'an entry without a seal was added, changed or removed';
  return `entry ${number}${what} was changed`;
}
