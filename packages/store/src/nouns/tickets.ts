import { text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** One download by browser navigation, which can't carry the bearer header. */
export interface TicketRecord extends Stored {
  ticketHash: string;
  path: string;
  userId: string;
  sessionId: string;
  expiresAt: string;
}

export const tickets = noun<TicketRecord>({
  name: 'tickets',
  fields: {
    ticketHash: text,
    path: text,
    userId: text,
    sessionId: text,
    expiresAt: text,
  },
  unique: ['ticketHash'],
  indexes: ['userId'],
});
