import type { Store, Unit } from '@kaptain/store';
import type { CertificateFiles } from '../../base/config/settings/certificate-files.ts';
import type { SavedGeneration, ServerFile } from '../../base/config/settings/generation-file.ts';
import type { KeptSettings } from '../../base/config/settings.ts';

export type NewGeneration = Omit<SavedGeneration, 'generation'>;
export type UploadKind = ServerFile | 'platform';

/** Where saves and uploads are stored: the data folder, or the database that several instances share. */
export interface SettingsHome {
  /** The newest saved settings, also those that another instance has saved. */
  newest(): Promise<SavedGeneration>;
  /** Stores a save together with the writes of `audited`. Undefined when another save came after `before`. */
  add(
    next: NewGeneration,
    before: SavedGeneration,
    audited: (unit: Unit, saved: SavedGeneration) => Promise<void>,
  ): Promise<SavedGeneration | undefined>;
  /** Brings the uploads that other instances received into the data folder. */
  fetchUploads(): Promise<void>;
  /** Returns the file name, or for a platform file its path in the settings. */
  addUpload(
    kind: UploadKind,
    bytes: Buffer,
    audited: (unit: Unit, name: string) => Promise<void>,
  ): Promise<string>;
}

interface Deps {
  store: Store;
  settings: KeptSettings;
  certificates: CertificateFiles;
}

/** The data folder of the one instance on an embedded store. */
export function fileHome({ store, settings: { generations }, certificates }: Deps): SettingsHome {
  return {
    newest: async () => generations.newest(),
    /**
     * Writes the file first and removes it when the audit entry can't be written. When the process dies in between, the
     * next start writes the missing entry, so that neither is lost.
     */
    async add(next, _before, audited) {
      const saved = generations.add(next);
      if (!saved) return undefined;
      try {
        await store.transaction((unit) => audited(unit, saved));
      } catch (error) {
        generations.remove(saved.generation);
        throw error;
      }
      return saved;
    },
    fetchUploads: async () => undefined,
    async addUpload(kind, bytes, audited) {
      const name = kind === 'platform' ? certificates.keepForPlatform(bytes) : kind;
      await store.transaction((unit) => audited(unit, name));
      if (kind !== 'platform') certificates.stage(kind, bytes);
      return name;
    },
  };
}
