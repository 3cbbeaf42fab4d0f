import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedStore, type Store, UnavailableError } from '@kaptain/store';
import { readBootConfig } from '../config/boot-config.ts';
import { ConfigError } from '../config/config-error.ts';

/** Opens the service's own database beside the running service; never makes a new one. */
export async function withStore<T>(env: NodeJS.ProcessEnv, work: (store: Store) => Promise<T>): Promise<T> {
  const { dataDir } = readBootConfig(env);
  const file = join(dataDir, 'kaptain.db');
  if (!existsSync(file)) {
    throw new ConfigError(
      `There is no database in ${dataDir}: run this in the folder of the service, or set KAPTAIN_DATA_DIR to its data folder.`,
    );
  }
  let store: Store | undefined;
  try {
    store = await openEmbeddedStore({ file });
    return await work(store);
  } catch (error) {
    throw error instanceof UnavailableError ? new ConfigError(error.message) : error;
  } finally {
    await store?.close();
  }
}
