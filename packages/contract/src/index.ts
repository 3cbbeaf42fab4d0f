export * from './api.ts';
export { ConsoleConfig, Variant } from './calls/about.ts';
export { UserSession } from './calls/account.ts';
export { ApiKey } from './calls/api-keys.ts';
export { Proposal, ProposalConflict, ProposalPage, ProposalResult } from './calls/approvals.ts';
export { type AuditAction, AuditEntry, auditActions } from './calls/audit.ts';
export { DeletedKapsule } from './calls/deleted-kapsules.ts';
export { ChooseRequest, ExtensionToken, SignInRequest } from './calls/extension.ts';
export {
  ExportFormat,
  exportTypes,
  Granule,
  GranulePage,
  GranuleState,
  GranuleSummary,
  QvdFileResult,
} from './calls/granules.ts';
export { Group } from './calls/groups.ts';
export { Field, KapFile, Kapsule, KapsuleOverview, KapsuleStructure } from './calls/kapsules.ts';
export { KapsuleSchedule, LogEntry, LogPage, PlatformUser, Schedule } from './calls/logs.ts';
export { FieldsCheck, MisfitPage, RefusedRows, RefusedValue } from './calls/misfits.ts';
export { NewPasskey, PasskeyCreation, PasskeyProof, PasskeyRequest } from './calls/passkeys.ts';
export { parsePlatformUser } from './calls/platform-user.ts';
export { StructureProposal } from './calls/proposals.ts';
export { ServiceInstance } from './calls/service-instance.ts';
export { FactorMethod, LoginChallenge, NewPassword, SessionUser } from './calls/session.ts';
export { dataSourceFields } from './calls/settings/data-source-fields.ts';
export { SECRET_MASK } from './calls/settings/field-schema.ts';
export {
  ConfigurationFile,
  Generation,
  ImportPreview,
  LastApply,
  LicenseSummary,
  SettingDifference,
  SettingsState,
} from './calls/settings/generations.ts';
export { type ProviderSettings, parseList, parseMapping } from './calls/settings/provider.ts';
export { maskSecrets, secretPaths } from './calls/settings/secrets.ts';
export { ENGINE_SCHEMA, LOCAL_CERTIFICATES_ROOT, SettingsUpdate } from './calls/settings/settings.ts';
export { emptyDb, emptyHosts, isUntouched } from './calls/settings/untouched.ts';
export { StatusCheck } from './calls/status.ts';
export { LogFileInfo, type LogKind, LogTail } from './calls/system-logs.ts';
export { ChangedThread } from './calls/threads.ts';
export { User } from './calls/users.ts';
export { KapsuleView } from './calls/views.ts';
export { FieldFilter } from './field-filters.ts';
export { FieldType } from './fields/schema.ts';
export type { GranuleConflict } from './granule-records.ts';
export * from './kit/client.ts';
export { ownValue } from './kit/own-value.ts';
export * from './kit/route.ts';
export { isStorable } from './kit/text.ts';
export { Approval, ShownApproval } from './rules/approvals/schema.ts';
export * from './rules/errors.ts';
export * from './rules/extension-window.ts';
export * from './rules/limits.ts';
export * from './rules/messages.ts';
export * from './rules/permissions.ts';
export * from './rules/thread-text.ts';
export * from './vocabulary.ts';
