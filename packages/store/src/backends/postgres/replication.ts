import type { ClientBase } from 'pg';
import { UnavailableError } from '../../errors.ts';

/** The function of PostgreSQL that waits for the standby: its name, unlike the message, is not translated. */
const WAITING = 'SyncRepWaitForLSN';

const unconfirmed = new WeakSet<ClientBase>();

/**
 * A commit that is cancelled while it waits for a synchronous standby, as by the time limit of a statement, succeeds with
 * a warning: only the primary has it.
 */
export function watchReplication(client: ClientBase): void {
  client.on('notice', ({ routine }) => {
    if (routine === WAITING) unconfirmed.add(client);
  });
}

/** Throws after such a commit, because a failover would lose it. */
export function requireReplicated(client: ClientBase): void {
  if (unconfirmed.delete(client))
    throw new UnavailableError(
      'The standby of the database did not confirm the change in time, so it may be lost; check the standby and try again.',
    );
}
