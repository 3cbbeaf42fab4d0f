import type { SettingsUpdate } from '@kaptain/contract';
import type { Store } from '@kaptain/store';

/** Opens the database that settings name: the embedded one without a `db` block. */
export type OpenDatabase = (settings: Pick<SettingsUpdate, 'db'>) => Promise<Store>;
