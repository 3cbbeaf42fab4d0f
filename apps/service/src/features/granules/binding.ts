import type { KapsuleRecord } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';

interface Given {
  sqlType?: string | undefined;
  tableName?: string | undefined;
}

/** What a client says of the table is only compared with the kapsule's own binding, never used. */
export function requireBinding({ sqlType, tableName }: Given, kapsule: KapsuleRecord): void {
  const isSame = (given: string | undefined, own: string) => given === undefined || given === own;
  if (!isSame(sqlType, kapsule.database) || !isSame(tableName, kapsule.tableName))
    throw new AppError('BINDING_MISMATCH');
}
