import { list, nullable, object, oneOf, optional, shape, text, whole } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** The approval of one person. */
interface ProposalApproval {
  /** The account that approved. */
  userId: string;
  /** Its name as shown. */
  by: string;
  at: string;
}

/** A change of a granule that waits for the approval of others, or was decided. */
export interface ProposalRecord extends Stored {
  kapsuleId: string;
  /** The kapsule while the proposal is open. */
  openIn: string | null;
  key: string;
  /** The SHA-256 of kapsule and key while the proposal is open. */
  rowKey: string | null;
  state: 'open' | 'accepted' | 'refused' | 'withdrawn';
  /** The version of the granule that the author changed; 0 when there was none. */
  baseVersion: number;
  /** The changed fields with the values of that version … */
  base: Record<string, unknown>;
  /** … and with the proposed ones. */
  values: Record<string, unknown>;
  /** The author as shown. */
  author: string;
  /** The author as the service identifies them. */
  authorKey: string;
  /** The account by which the author, or a server for them, made the call; absent for a person without one. */
  accountId?: string;
  comment: string;
  approvals: ProposalApproval[];
  /** Who closed it, as shown; null for the service. */
  decidedBy: string | null;
  decidedAt: string | null;
  reason: string | null;
  /** Of an accepted one: granule and version that its save has made. */
  madeState: string | null;
  createdAt: string;
  updatedAt: string;
}

export const proposals = noun<ProposalRecord>({
  name: 'proposals',
  fields: {
    kapsuleId: text,
    openIn: nullable(text),
    key: text,
    rowKey: nullable(text),
    state: oneOf('open', 'accepted', 'refused', 'withdrawn'),
    baseVersion: whole,
    base: object,
    values: object,
    author: text,
    authorKey: text,
    accountId: optional(text),
    comment: text,
    approvals: list(shape<ProposalApproval>({ userId: text, by: text, at: text })),
    decidedBy: nullable(text),
    decidedAt: nullable(text),
    reason: nullable(text),
    madeState: nullable(text),
    createdAt: text,
    updatedAt: text,
  },
  unique: [],
  indexes: ['kapsuleId', 'openIn', 'rowKey', 'authorKey', 'state', 'madeState'],
});
