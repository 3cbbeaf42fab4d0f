import type { RolloutRecord, Store } from '@kaptain/store';
import { CertificateFiles } from '../../base/config/settings/certificate-files.ts';
import type { KeptSettings } from '../../base/config/settings.ts';
import { keysFolder } from '../../base/database/open-store.ts';
import { pepperIn } from '../../base/secrets/pepper.ts';
import { joinSettings } from './publish.ts';
import { rolloutIn } from './rollout-record.ts';
import { settingsKeyOf } from './sealed-settings.ts';
import type { Copied } from './settings-copy.ts';

interface Installation {
  dataDir: string;
  pepper: string | undefined;
}

/** The settings in the database, as a start reads them. */
export interface Joined extends Copied {
  key: () => Buffer;
  /** The rollout before the settings were read: restarts that are requested later are still due. */
  head: RolloutRecord;
}

/** Takes the settings of the database, or stores those of the data folder in a database that has none. */
export async function joinShared(
  store: Store,
  { generations, began }: KeptSettings,
  { dataDir, pepper }: Installation,
): Promise<Joined> {
  try {
    const key = settingsKeyOf(pepperIn(keysFolder(dataDir), pepper));
    const head = await store.transaction(rolloutIn);
    const copied = await joinSettings(store, {
      generations,
      certificates: new CertificateFiles(dataDir),
      key,
      running: began.generation,
    });
    return { key, head, ...copied };
  } catch (error) {
    await store.close();
    throw error;
  }
}
