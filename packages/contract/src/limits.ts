const MiB = 1024 * 1024;

/** Limits of sizes and counts, shared by service and console (SPEC 9 and our own). */
export const limits = {
  jsonBytes: MiB,
  settingsBytes: 256 * 1024,
  passwordMinCharacters: 8,
  passwordMaxBytes: 1024,
  nameCharacters: 255,
  ownerShownCharacters: 18,
  granuleIdsPerDelete: 10_000,
  /** When deleting by filter. */
  granulesPerDelete: 250_000,
  granulesPerUpsert: 10_000,
  upsertBytes: 4 * MiB,
  pageSize: 1000,
  kapBytes: MiB,
  kapFiles: 50,
  qvdBytes: 2048 * MiB,
  qvdFiles: 20,
  certificateBytes: MiB,
  licenseCharacters: 64 * 1024,
  signExpiresInHours: 720,
  logContentBytes: 2 * MiB,
} as const;
