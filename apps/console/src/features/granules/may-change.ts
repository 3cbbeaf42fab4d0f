import type { Kapsule } from '@kaptain/contract/kapsules';
import { mayDelete, mayImportGranules, mayWriteGranules } from '@kaptain/contract/permissions';
import type { Authority, Role } from '@kaptain/contract/vocabulary';

/** Whether deleting granules is offered. A service that sends no authority decides on the call itself. */
export const mayRemove = (role: Role, authority: readonly Authority[]): boolean =>
  authority.length === 0 || mayDelete(role, authority);

/** Whether importing files is offered. */
export const mayImport = (role: Role, authority: readonly Authority[]): boolean =>
  authority.length === 0 || mayImportGranules(role, authority);

/** Whether editing granules is offered. */
export const mayEdit = (
  role: Role,
  { authority, writers }: Pick<Kapsule, 'authority' | 'writers'>,
): boolean => authority.length === 0 || mayWriteGranules(role, authority, writers);
