export {
  type Backup,
  type BackupFile,
  isInUse,
  makeDatabaseOf,
  readBackup,
  writeBackup,
} from './backends/embedded/backup.ts';
export { writeBackupAside } from './backends/embedded/backup-thread.ts';
export { type EmbeddedOptions, openEmbeddedStore } from './backends/embedded/open.ts';
export { openEmbeddedTransfer } from './backends/embedded/transfer.ts';
export type { MongoOptions } from './backends/mongodb/connect.ts';
export { openMongoStore, openMongoTransfer } from './backends/mongodb/lazy.ts';
export type { PostgresOptions } from './backends/postgres/config.ts';
export { openPostgresStore, openPostgresTransfer } from './backends/postgres/lazy.ts';
export { type Address, addressesIn, addressText } from './backends/shared/host-list.ts';
export { damagedDocuments } from './damaged-documents.ts';
export * from './errors.ts';
export { foldName, foldText } from './folding.ts';
export type * from './granules.ts';
export { newId, newIdAfter } from './ids.ts';
export type { ApiKeyRecord } from './nouns/api-keys.ts';
export { type AuditRecord, LATEST_ID_MS } from './nouns/audit.ts';
export type { ChallengeRecord } from './nouns/challenges.ts';
export type { DeletedKapsuleRecord } from './nouns/deleted-kapsules.ts';
export type { ExtensionGrantRecord } from './nouns/extension-grants.ts';
export type { GroupRecord } from './nouns/groups.ts';
export type { InstanceRecord } from './nouns/instance.ts';
export type { JobRecord, JobRun } from './nouns/jobs.ts';
export type { KapsuleRecord } from './nouns/kapsules.ts';
export type { Stored } from './nouns/noun.ts';
export type { ProposalRecord } from './nouns/proposals.ts';
export type { ProviderSessionRecord } from './nouns/provider-sessions.ts';
export type { RolloutRecord } from './nouns/rollout.ts';
export type { ScheduleRecord } from './nouns/schedules.ts';
export type { ServiceInstanceRecord } from './nouns/service-instances.ts';
export type { SessionRecord } from './nouns/sessions.ts';
export type { SettingsFileRecord } from './nouns/settings-files.ts';
export type { SettingsGenerationRecord } from './nouns/settings-generations.ts';
export type { TicketRecord } from './nouns/tickets.ts';
export type { GivenQlikId, LoginAttempts, PasskeyRecord, SecondFactor, UserRecord } from './nouns/users.ts';
export type { ViewRecord } from './nouns/views.ts';
export { type PackedBatch, PackedRows } from './packed-rows.ts';
export type { Dependency, Saved, Saving } from './saving.ts';
export type {
  Documents,
  NewDocument,
  Nouns,
  PoolUse,
  RecentQuery,
  SessionWithUser,
  Store,
  StoredSize,
  Unit,
  VisibleKapsules,
} from './store.ts';
export { checkTrail, type TrailFault, type TrailReport } from './trail/check-trail.ts';
export { sealPending, sealTrail } from './trail/seal-trail.ts';
export type { TrailSecret } from './trail/seals.ts';
export { wrapAudit } from './trail/wrap-audit.ts';
export type * from './transfer.ts';
export type { CopyReport } from './transfer-compare.ts';
export { copyStore } from './transfer-copy.ts';
