import type { ShownApproval } from '@kaptain/contract';
import { approvedFields } from '@kaptain/contract/approval-rules';
import type { Caller } from '../../base/call/call.ts';
import type { SeenKapsule } from '../kapsules/kapsule-access.ts';
import { mayDecideIn } from './approvers.ts';

/** What the caller has to know of the approval before they type; undefined where none is asked for. */
export function shownApproval(seen: SeenKapsule, caller: Caller): ShownApproval | undefined {
  const { approval } = seen.kapsule;
  if (!approval) return undefined;
  return {
    fields: approvedFields(seen.kapsule),
    count: approval.count,
    mayDecide: mayDecideIn(seen, caller),
  };
}
