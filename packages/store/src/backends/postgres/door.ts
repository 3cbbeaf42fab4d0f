import type { Store } from '../../store.ts';
import type { PostgresOptions } from './config.ts';

/** The driver is loaded only where it is used. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { open } = await import('./open.ts');
  return open(options);
}
