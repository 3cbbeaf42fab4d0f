import { mayCreateKapsule } from '@kaptain/contract/permissions';
import type { SessionUser } from '@kaptain/contract/session';

/** Whether Add is offered. A service that does not send `isCreate` decides when the files are imported. */
export const mayAdd = ({ role, isCreate = true }: Pick<SessionUser, 'role' | 'isCreate'>): boolean =>
  mayCreateKapsule({ role, isCreate });
