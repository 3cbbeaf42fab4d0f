import { z } from 'zod';
import { plainText, timestamp } from '../kit/text.ts';
import { limits } from '../limits.ts';

/** One field that differs; a secret is only ever shown as set, changed or empty. */
export const SettingDifference = z.object({
  /** Its place in the settings object, e.g. `db.KAPTAIN_DB_HOST`. */
  field: z.string(),
  /** As a person reads it; null where there is no value. */
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type SettingDifference = z.infer<typeof SettingDifference>;

/** One saved state of the settings. */
export const Generation = z.looseObject({
  generation: z.number(),
  at: timestamp,
  /** The user who saved it; null for what the host's own files brought. */
  by: z.string().nullable(),
  /** The names of the fields that changed against the one before. */
  changed: z.array(z.string()),
  /** Waiting for a restart, running or once run, or given up because the service could not start with it. */
  status: z.enum(['waiting', 'applied', 'rejected']),
  reason: z.string().nullable(),
  isCurrent: z.boolean(),
});
export type Generation = z.infer<typeof Generation>;

/** How the last attempt to put settings into effect went. */
export const LastApply = z.looseObject({
  status: z.enum(['applied', 'waiting', 'rolledBack']),
  generation: z.number(),
  at: timestamp,
  /** Why a restart was rolled back, in a sentence for the settings page. */
  reason: z.string().nullable(),
});
export type LastApply = z.infer<typeof LastApply>;

/** What the license text says when it is a signed one. */
export const LicenseSummary = z.looseObject({
  /** `text` is accepted as it is; `invalid` looks signed but its signature does not fit. */
  kind: z.enum(['none', 'text', 'signed', 'invalid']),
  holder: z.string().nullable(),
  expiresAt: timestamp.nullable(),
  isExpired: z.boolean(),
  /** One sentence for the settings page. */
  message: z.string(),
});
export type LicenseSummary = z.infer<typeof LicenseSummary>;

/** Everything the settings page shows beside the form. */
export const SettingsState = z.looseObject({
  /** What a save must send as If-Match, in quotes. */
  generation: z.number(),
  /** The one the service runs with. */
  running: z.number(),
  lastApply: LastApply,
  license: LicenseSummary,
});
export type SettingsState = z.infer<typeof SettingsState>;

/** An exported configuration. With a passphrase, `sealed` holds secrets and certificate files, encrypted. */
export const ConfigurationFile = z.object({
  format: z.literal('kaptain-configuration', { error: 'This is not an exported configuration.' }),
  version: z.literal(1, { error: 'This configuration comes from a newer version of the service.' }),
  exportedAt: timestamp,
  /** The settings object, its secrets left out. */
  settings: z.record(z.string(), z.unknown()),
  sealed: z
    .object({
      salt: plainText(100),
      iv: plainText(100),
      data: plainText(16 * limits.certificateBytes),
    })
    .optional(),
});
export type ConfigurationFile = z.infer<typeof ConfigurationFile>;

/** What an import would change. */
export const ImportPreview = z.looseObject({
  differences: z.array(SettingDifference),
  /** Secrets that the file does not bring and that can't be kept: to be entered afterwards. */
  missingSecrets: z.array(z.string()),
  withSecrets: z.boolean(),
});
export type ImportPreview = z.infer<typeof ImportPreview>;
