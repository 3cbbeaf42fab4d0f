import type { KapsuleRecord } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';

interface NamedTable {
  sqlType?: string | undefined;
  tableName?: string | undefined;
}

/** Compares the table that a client names with the kapsule's binding; it is never used in SQL. */
export function requireBinding({ sqlType, tableName }: NamedTable, kapsule: KapsuleRecord): void {
  const isSame = (name: string | undefined, own: string) => name === undefined || name === own;
  if (!isSame(sqlType, kapsule.database) || !isSame(tableName, kapsule.tableName))
    throw new AppError('BINDING_MISMATCH');
}
