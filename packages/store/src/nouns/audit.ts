import { nullable, object, oneOf, optional, text, whole } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** The id of an entry is made within this time after its `at`, unless it follows the id of a clock that was ahead. */
export const LATEST_ID_MS = 1000;

/** An audit entry, written in the same unit of work as the change itself. */
export interface AuditRecord extends Stored {
  at: string;
  actorId: string | null;
  actor: string;
  ip: string;
  action: string;
  /** Noun and id of what was changed, e.g. `user:66f…`. */
  target: string | null;
  targetName: string | null;
  result: 'ok' | 'refused';
  requestId: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  /** The time in its id is later than `at` by LATEST_ID_MS or more, because ids follow the chain; see `newIdAfter`. */
  isAhead?: true;
  /** In entries of earlier versions their number in the chain, from 1 on … */
  number?: number;
  /** … and what holds them there; later ones are sealed together (see trail/). */
  seal?: string;
}

export const audit = noun<AuditRecord>({
  name: 'audit',
  fields: {
    at: text,
    actorId: nullable(text),
    actor: text,
    ip: text,
    action: text,
    target: nullable(text),
    targetName: nullable(text),
    result: oneOf('ok', 'refused'),
    requestId: text,
    before: nullable(object),
    after: nullable(object),
    isAhead: optional(oneOf(true)),
    number: optional(whole),
    seal: optional(text),
  },
  unique: [],
  indexes: ['actorId', 'action', 'target', 'isAhead'],
});
