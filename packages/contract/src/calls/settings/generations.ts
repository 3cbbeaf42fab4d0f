import { z } from 'zod';
import { plainText, timestamp } from '../../kit/text.ts';
import { limits } from '../../rules/limits.ts';
import { ServiceInstance } from '../service-instance.ts';

/** A field that differs; a secret is shown only as set, changed or empty. */
export const SettingDifference = z.object({
  /** The path in the settings object, e.g. `db.KAPTAIN_DB_HOST`. */
  field: z.string(),
  /** As text for users; null without a value. */
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type SettingDifference = z.infer<typeof SettingDifference>;

/** One saved state of the settings. */
export const Generation = z.looseObject({
  generation: z.number(),
  at: timestamp,
  /** The user who saved it; null when it came from files of the host. */
  by: z.string().nullable(),
  /** The fields that differ from the previous generation. */
  changed: z.array(z.string()),
  /** waiting: for a restart; applied: running now or before; rejected: the service could not start with it. */
  status: z.enum(['waiting', 'applied', 'rejected']),
  reason: z.string().nullable(),
  isCurrent: z.boolean(),
});
export type Generation = z.infer<typeof Generation>;

/** The result of the last attempt to apply settings. */
export const LastApply = z.looseObject({
  /**
   * waiting: for a restart, also after one that failed and gave nothing up; rolledBack: the service could not start with
   * them; restartFailed: the service runs with them, but could not be restarted.
   */
  status: z.enum(['applied', 'waiting', 'rolledBack', 'restartFailed']),
  generation: z.number(),
  at: timestamp,
  /** Why the last restart failed, as a sentence for the settings page. */
  reason: z.string().nullable(),
});
export type LastApply = z.infer<typeof LastApply>;

/** The content of a signed license text. */
export const LicenseSummary = z.looseObject({
  /** text: unsigned, accepted as it is; invalid: the signature is wrong. */
  kind: z.enum(['none', 'text', 'signed', 'invalid']),
  holder: z.string().nullable(),
  expiresAt: timestamp.nullable(),
  isExpired: z.boolean(),
  /** One sentence for the settings page. */
  message: z.string(),
});
export type LicenseSummary = z.infer<typeof LicenseSummary>;

/** The state of the settings that the page shows beside the form. */
export const SettingsState = z.looseObject({
  /** The value of If-Match for a save, in quotes. */
  generation: z.number(),
  /** The generation that the service runs with. */
  running: z.number(),
  /** Whether the service serves https now. */
  isHttps: z.boolean(),
  lastApply: LastApply,
  license: LicenseSummary,
  /** The environment of the service names its database, so that the `db` block has no effect. */
  isDatabaseFixed: z.boolean().optional(),
  /** All instances on the same database, where several may share it: each has its own `running` and `lastApply`. */
  instances: z.array(ServiceInstance).optional(),
});
export type SettingsState = z.infer<typeof SettingsState>;

/** An exported configuration. With a passphrase, `sealed` holds secrets and certificate files, encrypted. */
export const ConfigurationFile = z.object({
  format: z.literal('kaptain-configuration', { error: 'This is not an exported configuration.' }),
  version: z.literal(1, { error: 'This configuration comes from a newer version of the service.' }),
  exportedAt: timestamp,
  /** The settings object without secrets. */
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

/** The changes that an import would make. */
export const ImportPreview = z.looseObject({
  differences: z.array(SettingDifference),
  /** Secrets that the file lacks and that can't be kept; the user must enter them. */
  missingSecrets: z.array(z.string()),
  withSecrets: z.boolean(),
});
export type ImportPreview = z.infer<typeof ImportPreview>;
