import { type AuditAction, auditActions } from '@kaptain/contract/audit';
import type { Words } from '../../variants/variant.ts';

const isAction = (action: string): action is AuditAction => Object.hasOwn(auditActions, action);

export const knownAction = (text: string): AuditAction | undefined => (isAction(text) ? text : undefined);

/** The name of an action; an action of a newer service is shown as it is. */
export function actionName(action: string, { kapsule, granule }: Words): string {
  if (!isAction(action)) return action;
  return auditActions[action].replace('{Kapsule}', kapsule.One).replace('{Granules}', granule.Many);
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The kind of a target such as `user:17`. */
export function targetKind(target: string, { kapsule, granule }: Words): string {
  const kind = target.split(':', 1)[0] ?? '';
  const names: Record<string, string> = {
    user: 'User',
    group: 'Group',
    apiKey: 'API key',
    kapsule: kapsule.One,
    granule: granule.One,
    job: 'Reload',
    settings: 'Settings',
    certificate: 'Certificate',
  };
  return names[kind] ?? capitalized(kind);
}

/** The name of a field, as in the forms. */
export function fieldName(field: string, { kapsule, platform }: Words): string {
  const names: Record<string, string> = {
    username: 'User Name',
    qlikId: `${platform} User ID`,
    isCreate: `Can Create ${kapsule.One}`,
    groupname: 'Group name',
    authority: 'Permission',
    kapsules: kapsule.Many,
    apikey: 'API key',
    apiKeys: 'API keys',
    userName: 'Creator',
    lockTime: 'Locked until',
  };
  if (names[field]) return names[field];
  const spaced = field.replace(
    /([a-z])([A-Z])/g,
    (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
  );
  return capitalized(spaced);
}
