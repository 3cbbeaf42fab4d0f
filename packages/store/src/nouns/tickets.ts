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
  unique: ['ticketHash'],
  indexes: ['userId'],
});
