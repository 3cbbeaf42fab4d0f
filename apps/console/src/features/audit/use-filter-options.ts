import { type AuditEntry, auditActions } from '@kaptain/contract/audit';
import { useGroups } from '../../api/groups.ts';
import { useKapsules } from '../../api/kapsules.ts';
import { useUsers } from '../../api/users.ts';
import type { Words } from '../../variants/variant.ts';
import type { FilterState } from './audit-filter.ts';
import { actionName, targetKind } from './audit-words.ts';

interface Option {
  value: string;
  label: string;
}
export interface TargetOption extends Option {
  kind: string;
}

const toOptions = (names: ReadonlyMap<string, string>): Option[] =>
  Array.from(names, ([value, label]) => ({ value, label }));

/** The options of the filters: existing objects, those named in the shown entries, and those in the URL. */
export function useFilterOptions(state: FilterState, entries: readonly AuditEntry[], words: Words) {
  const { data: users = [] } = useUsers();
  const { data: groups = [] } = useGroups();
  const { data: kapsules = [] } = useKapsules();

  const actors = new Map<string, string>();
  const targets = new Map<string, string>();
  if (state.actor) actors.set(state.actor, state.actor);
  if (state.target) targets.set(state.target, state.target.replace(/^\w+:/, ''));
  for (const { actorId, actor, target, targetName } of entries) {
    if (actorId) actors.set(actorId, actor);
    if (target && targetName) targets.set(target, targetName);
  }
  for (const { userId, username } of users) {
    actors.set(userId, username);
    targets.set(`user:${userId}`, username);
  }
  for (const { _id, groupname } of groups) targets.set(`group:${_id}`, groupname);
  for (const { _id, name } of kapsules) targets.set(`kapsule:${_id}`, name);

  const actions = Object.keys(auditActions).map((value) => ({ value, label: actionName(value, words) }));
  return {
    actors: toOptions(actors),
    actions,
    targets: toOptions(targets).map((option) => ({ ...option, kind: targetKind(option.value, words) })),
  };
}
