import { DataSourceType, type SettingsUpdate } from '@kaptain/contract';
import type { OpenDatabase } from '../../base/database/open-database.ts';

/** Tries the connection to a target with these settings; throws when it fails. */
export type ConnectionTesters = Record<
  'database' | 'platform' | DataSourceType,
  (settings: SettingsUpdate) => Promise<void>
>;

interface Deps {
  dataDir: string;
  allowedFolders: readonly string[];
  openDatabase: OpenDatabase;
}

/** How to try each target. Drivers are imported on the first test, because they are large. */
export function connectionTesters({ dataDir, allowedFolders, openDatabase }: Deps): ConnectionTesters {
  async function database(settings: SettingsUpdate): Promise<void> {
    const store = await openDatabase(settings);
    try {
      await store.ping();
    } finally {
      await store.close();
    }
  }

  async function platform(settings: SettingsUpdate): Promise<void> {
    const { connectPlatform } = await import('@kaptain/platform-connection');
    await connectPlatform(settings, { folder: dataDir }).whoAmI();
  }

  const dataSource = (type: DataSourceType) => async (settings: SettingsUpdate) => {
    const { openDataSource } = await import('@kaptain/data-sources');
    const source = openDataSource(type, settings[type] ?? {}, { allowedFolders });
    try {
      await source.ping();
    } finally {
      await source.close();
    }
  };

  const dataSources = Object.fromEntries(
    DataSourceType.options.map((type) => [type, dataSource(type)]),
  ) as Record<DataSourceType, typeof database>;
  return { database, platform, ...dataSources };
}
