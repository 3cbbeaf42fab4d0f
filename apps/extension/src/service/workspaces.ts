import { Workspace } from './workspace.ts';

const workspaces = new Map<string, Workspace>();

/** Asks before the page is left while edits are neither stored nor kept in the browser. */
function warnBeforeLoss(event: BeforeUnloadEvent): void {
  if ([...workspaces.values()].some(({ isSafe }) => !isSafe)) event.preventDefault();
}

/** The workspace of a kapsule on this page. */
export function workspaceOf(serviceUrl: string, kapsuleId: string): Workspace {
  const name = `${serviceUrl} ${kapsuleId}`;
  const existing = workspaces.get(name);
  if (existing) return existing;
  if (workspaces.size === 0) addEventListener('beforeunload', warnBeforeLoss);
  const made = new Workspace(serviceUrl, kapsuleId);
  workspaces.set(name, made);
  return made;
}
