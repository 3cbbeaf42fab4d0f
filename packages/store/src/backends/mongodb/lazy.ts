import type { Store } from '../../store.ts';
import type { Transfer } from '../../transfer.ts';
import type { MongoOptions } from './connect.ts';

/** The driver is loaded only where it is used: most installations have the embedded database. */
export async function openMongoStore(options: MongoOptions): Promise<Store> {
  const { open } = await import('./open.ts');
  return open(options);
}

export async function openMongoTransfer(options: MongoOptions): Promise<Transfer> {
  const { openTransfer } = await import('./transfer.ts');
  return openTransfer(options);
}
