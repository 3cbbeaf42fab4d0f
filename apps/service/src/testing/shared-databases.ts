import { join } from 'node:path';
import { SettingsUpdate } from '@kaptain/contract';
import { openEmbeddedStore, type Store } from '@kaptain/store';
import { CertificateFiles } from '../base/config/settings/certificate-files.ts';
import type { FileSystem } from '../base/config/settings/durable-file.ts';
import { nothingSaved } from '../base/config/settings/generations.ts';
import { normalised } from '../base/config/settings/normalised.ts';
import { openSettings } from '../base/config/settings.ts';
import { joinSettings } from '../operations/instances/publish.ts';
import { settingsKeyOf } from '../operations/instances/sealed-settings.ts';
import { SharedHome } from '../operations/instances/shared-home.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const sharedKey = settingsKeyOf(() => Buffer.alloc(32, 1));
export const nothing = async () => undefined;
let times = 0;

/** A save that comes after the ones before. */
export const next = (given: object) => ({
  at: new Date(Date.UTC(2026, 0, 1) + (times += 1)).toISOString(),
  by: nothingSaved().by,
  changed: ['a.field'],
  files: {},
  settings: normalised(SettingsUpdate.parse({ settings: {}, ...given })),
});
export const named = (userId: string) => next({ settings: { userId } });

export const ownDatabase = {
  KAPTAIN_DB: 'postgres',
  KAPTAIN_DB_HOST: 'own',
  KAPTAIN_DB_PORT: 1,
  KAPTAIN_DB_USER: 'u',
  KAPTAIN_DB_NAME: 'n',
};

/** Databases, and instances on them with data folders of their own. */
export function sharedDatabases() {
  const folders = [temporaryFolder()];
  const [files] = folders;
  let databases = 0;
  return {
    open: () => openEmbeddedStore({ file: join(files?.path ?? '', `${(databases += 1)}.db`) }),
    instance(store: Store, disk?: FileSystem) {
      const folder = temporaryFolder();
      folders.push(folder);
      const settings = openSettings({ dataDir: folder.path, files: disk });
      const { generations } = settings;
      const certificates = new CertificateFiles(folder.path);
      const deps = { generations, certificates, key: sharedKey, running: settings.began.generation };
      const home = new SharedHome({ ...deps, store, settings });
      const start = async () => (await joinSettings(store, deps)).isChanged;
      const users = () =>
        generations.numbers().map((number) => generations.read(number)?.settings.settings.userId);
      return { deps, home, generations, certificates, settings, folder: folder.path, start, users };
    },
    [Symbol.dispose]() {
      for (const folder of folders) folder[Symbol.dispose]();
    },
  };
}
