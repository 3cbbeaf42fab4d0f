import { z } from 'zod';
import { json, route } from '../kit/route.ts';
import { flag, idText, plainText, timestamp } from '../kit/text.ts';
import { limits } from '../rules/limits.ts';
import { RefusedValue } from './misfits.ts';

export const ProposalState = z.enum(['open', 'accepted', 'refused', 'withdrawn']);
export type ProposalState = z.infer<typeof ProposalState>;

const values = z.record(z.string(), z.unknown());

/** A change of one granule that waits for approval, or was decided. */
export const Proposal = z.looseObject({
  _id: z.string(),
  kapsuleId: z.string(),
  /** The name of the kapsule. */
  kapsule: z.string(),
  /** Of the granule, which may not exist yet. */
  key: z.string(),
  /** Of the proposal: what is decided is what was seen. */
  version: z.number(),
  state: ProposalState,
  /** The version of the granule that was changed; 0 when there was none. */
  baseVersion: z.number(),
  /** The fields that change, with the values of that version … */
  base: values,
  /** … and the proposed ones; null is no value. */
  values,
  author: z.string(),
  comment: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
  /** Given so far. */
  approvals: z.array(z.object({ by: z.string(), at: timestamp })),
  /** How many it needs. */
  needed: z.number(),
  decidedBy: z.string().nullish(),
  decidedAt: timestamp.nullish(),
  /** Why it was refused. */
  reason: z.string().nullish(),
  /** Whether the caller is its author. */
  isOwn: z.boolean(),
  /** Whether the caller may accept or refuse it now. */
  mayDecide: z.boolean(),
});
export type Proposal = z.infer<typeof Proposal>;

export const ProposalPage = z.object({
  data: z.array(Proposal),
  /** The next page has it as `before`; null after the last one. */
  next: z.string().nullable(),
});
export type ProposalPage = z.infer<typeof ProposalPage>;

/** A field that another save has changed since the proposal was made. */
export const ProposalConflict = z.object({
  field: z.string(),
  base: z.unknown(),
  stored: z.unknown(),
  proposed: z.unknown(),
});
export type ProposalConflict = z.infer<typeof ProposalConflict>;

/** What became of one proposal of a call with several; each succeeds or fails alone. */
export const ProposalResult = z.object({
  _id: z.string(),
  /** `approved`: one more person has to approve it. */
  outcome: z.enum(['accepted', 'approved', 'refused', 'withdrawn', 'failed']),
  /** Of an error, as in an error answer. */
  code: z.string().optional(),
  message: z.string().optional(),
  conflicts: z.array(ProposalConflict).optional(),
  /** The values that the rules of now refuse. */
  refusals: z.array(RefusedValue).optional(),
});
export type ProposalResult = z.infer<typeof ProposalResult>;

const results = json(z.object({ results: z.array(ProposalResult) }));
const params = z.object({ id: idText });
const paging = {
  /** The `next` of the previous page. */
  before: idText.optional(),
  limit: z.coerce.number().int().min(1).max(limits.proposalsPerPage).default(50),
};

const decision = z
  .object({
    decision: z.enum(['accept', 'refuse']),
    /** Each with the version that was seen: a proposal that has changed since is not decided. */
    proposals: z
      .array(z.object({ _id: idText, version: z.number().int().min(1) }))
      .min(1)
      .max(limits.proposalsAtOnce),
    /** Needed to refuse. */
    reason: plainText(limits.proposalCharacters).default(''),
  })
  .refine((body) => body.decision === 'accept' || /\S/.test(body.reason), {
    message: 'Please say why!',
    path: ['reason'],
  });

/** Changes that wait for approval. */
export const approvals = {
  list: route({
    method: 'GET',
    path: '/api/kapsule/:id/proposals',
    access: 'dataApi',
    summary:
      'The proposals of a kapsule, newest first: all of them for those who decide and those who may change the kapsule, for others their own.',
    extra: true,
    params,
    query: z.object({ ...paging, state: ProposalState.default('open') }),
    answer: json(ProposalPage),
    errors: ['TOO_MANY_REQUESTS'],
  }),
  waiting: route({
    method: 'GET',
    path: '/api/proposals/waiting',
    access: 'loggedIn',
    summary: 'The open proposals of all kapsules that the caller may decide now, newest first.',
    extra: true,
    query: z.object(paging),
    answer: json(ProposalPage),
  }),
  own: route({
    method: 'GET',
    path: '/api/proposals/own',
    access: 'loggedIn',
    summary: 'The proposals of the caller in all kapsules that they may still read, newest first.',
    extra: true,
    query: z.object({ ...paging, open: flag.default(false) }),
    answer: json(ProposalPage),
  }),
  decide: route({
    method: 'POST',
    path: '/api/kapsule/:id/proposals/decide',
    access: 'loggedInOrExtension',
    summary:
      'Accept proposals of others, or refuse them with a reason; each succeeds or fails alone. An accepted one is saved with its author’s values.',
    extra: true,
    params,
    body: decision,
    answer: results,
    errors: ['FORBIDDEN', 'TOO_MANY_REQUESTS'],
  }),
  withdraw: route({
    method: 'POST',
    path: '/api/kapsule/:id/proposals/withdraw',
    access: 'dataApi',
    summary: 'Withdraw own proposals that are still open; each succeeds or fails alone.',
    extra: true,
    params,
    body: z.object({ proposalIds: z.array(idText).min(1).max(limits.proposalsAtOnce) }),
    answer: results,
    errors: ['TOO_MANY_REQUESTS'],
  }),
};
