import type { Store } from '../../store.ts';
import type { Transfer } from '../../transfer.ts';
import type { PostgresOptions } from './config.ts';

/** The driver is loaded only where it is used. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { open } = await import('./open.ts');
  return open(options);
}

export async function openPostgresTransfer(options: PostgresOptions): Promise<Transfer> {
  const { openTransfer } = await import('./transfer.ts');
  return openTransfer(options);
}
