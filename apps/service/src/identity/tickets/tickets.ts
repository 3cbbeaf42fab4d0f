import { DiskFullError, type NewDocument, type Store, type TicketRecord } from '@kaptain/store';
import type { SessionCaller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { hashToken, newToken } from '../../base/secrets/tokens.ts';
import { CLOCK_TOLERANCE_MS } from '../../base/time/clock.ts';
import { RateLimit } from '../../http/limits/rate-limit.ts';
import type { Sessions } from '../sessions/sessions.ts';

const ticketRules = { lifeMs: 60_000, perMinute: 60 } as const;

const TICKETED = /^(.+)[?&]ticket=([\w-]{43})$/;

/** A ticket that expires later than its lifetime allows was issued while the clock was ahead, and is invalid. */
function isGood({ expiresAt }: Pick<TicketRecord, 'expiresAt'>, now: number): boolean {
  const left = Date.parse(expiresAt) - now;
  return left > 0 && left <= ticketRules.lifeMs + CLOCK_TOLERANCE_MS;
}

/** The URL without its ticket, and the ticket. */
function splitTicket(url: string): { path: string; ticket: string } | undefined {
  const [, path, ticket] = TICKETED.exec(url) ?? [];
  return path !== undefined && ticket !== undefined ? { path, ticket } : undefined;
}

export interface Tickets {
  /** The URL with a ticket for one download of exactly this path and query. */
  issue(path: string, caller: SessionCaller): Promise<string>;
  /** The user to whom the ticket was issued, if it is valid for this URL; `isUsedUp` removes it. */
  redeem(url: string, isUsedUp: boolean): Promise<SessionCaller | undefined>;
}

interface Deps {
  store: Store;
  sessions: Sessions;
  clock: () => number;
  uptime: () => number;
}

export function createTickets({ store, sessions, clock, uptime }: Deps): Tickets {
  const limit = new RateLimit([{ count: ticketRules.perMinute, perMs: 60_000 }], uptime);
  /** By hash: tickets that could not be stored on a full disk, so that downloads still work on this instance. */
  const unstored = new Map<string, NewDocument<TicketRecord>>();

  function keepUnstored(ticket: NewDocument<TicketRecord>, now: number): void {
    for (const [hash, kept] of unstored) if (!isGood(kept, now)) unstored.delete(hash);
    unstored.set(ticket.ticketHash, ticket);
  }

  return {
    async issue(path, { userId, sessionId }) {
      limit.consume(userId, 'Too many downloads at once. Please wait a moment.');
      const now = clock();
      const secret = newToken();
      const expiresAt = new Date(now + ticketRules.lifeMs).toISOString();
      const issued = { ticketHash: hashToken(secret), path, userId, sessionId, expiresAt };
      const storing = store.transaction(async (nouns) => {
        if (!(await nouns.sessions.get(sessionId))) throw new AppError('NOT_LOGGED_IN');
        for (const old of await nouns.tickets.findBy('userId', userId))
          if (!isGood(old, now)) await nouns.tickets.remove(old.id);
        await nouns.tickets.insert(issued);
      });
      await storing.catch((error: unknown) => {
        if (!(error instanceof DiskFullError)) throw error;
        keepUnstored(issued, now);
      });
      return `${path}${path.includes('?') ? '&' : '?'}ticket=${secret}`;
    },
    async redeem(url, isUsedUp) {
      const ticket = splitTicket(url);
      if (!ticket) return undefined;
      const ticketHash = hashToken(ticket.ticket);
      const [stored] = await store.tickets.findBy('ticketHash', ticketHash);
      const found = stored ?? unstored.get(ticketHash);
      if (!found || found.path !== ticket.path || !isGood(found, clock())) return undefined;
      // Of parallel requests, only the one that removes the ticket may use it.
      if (isUsedUp && !(stored ? await store.tickets.remove(stored.id) : unstored.delete(ticketHash)))
        return undefined;
      const caller = await sessions.findById(found.sessionId);
      return caller?.userId === found.userId ? caller : undefined;
    },
  };
}
