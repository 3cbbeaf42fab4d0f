import { authorKey } from '../../identity/users/author-id.ts';
import type { Writer } from '../data-api/writer.ts';
import type { SeenKapsule } from '../kapsules/kapsule-access.ts';
import { seesAllProposals } from './approvers.ts';

/** Which proposals of a kapsule the caller sees: all of them, or their own. */
export const seenProposals = (seen: SeenKapsule, writer: Writer): { authorKey?: string } =>
  seesAllProposals(seen, writer.caller) ? {} : { authorKey: authorKey(writer.id) };
