export { ConsoleConfig, Variant } from './about.ts';
export { UserSession } from './account.ts';
export * from './api.ts';
export { ApiKey } from './api-keys.ts';
export { type AuditAction, AuditEntry, auditActions } from './audit.ts';
export { DeletedKapsule } from './deleted-kapsules.ts';
export * from './errors.ts';
export { ChooseRequest, ExtensionToken, SignInRequest } from './extension.ts';
export * from './extension-window.ts';
export { FieldFilter } from './field-filters.ts';
export type { GranuleConflict } from './granule-records.ts';
export {
  ExportFormat,
  exportTypes,
  Granule,
  GranulePage,
  GranuleState,
  GranuleSummary,
  QvdFileResult,
} from './granules.ts';
export { Group } from './groups.ts';
export { Field, KapFile, Kapsule, KapsuleChange, KapsuleOverview, KapsuleStructure } from './kapsules.ts';
export * from './kit/client.ts';
export * from './kit/route.ts';
export { isStorable } from './kit/text.ts';
export * from './limits.ts';
export { KapsuleSchedule, LogEntry, LogPage, PlatformUser, Schedule, ScriptLog } from './logs.ts';
export * from './messages.ts';
export { ownValue } from './own-value.ts';
export { NewPasskey, Passkey, PasskeyCreation, PasskeyProof, PasskeyRequest } from './passkeys.ts';
export * from './permissions.ts';
export { parsePlatformUser } from './platform-user.ts';
export { SecondFactorState } from './second-factor.ts';
export { AppStatus, FactorMethod, LoginChallenge, NewPassword, SessionUser } from './session.ts';
export { dataSourceFields, type SettingField } from './settings/data-source-fields.ts';
export { SECRET_MASK } from './settings/field-schema.ts';
export {
  ConfigurationFile,
  Generation,
  ImportPreview,
  LastApply,
  LicenseSummary,
  SettingDifference,
  SettingsState,
} from './settings/generations.ts';
export { emptyProvider, type ProviderSettings, parseList, parseMapping } from './settings/provider.ts';
export { maskSecrets, secretPaths } from './settings/secrets.ts';
export { ENGINE_SCHEMA, LOCAL_CERTIFICATES_ROOT, SettingsInfo, SettingsUpdate } from './settings/settings.ts';
export { emptyDb, emptyHosts, isUntouched } from './settings/untouched.ts';
export { ServiceInstance, StatusCheck } from './status.ts';
export { LogFileInfo, type LogKind, LogTail } from './system-logs.ts';
export { ChangedThread } from './thread-calls.ts';
export * from './thread-text.ts';
export { User } from './users.ts';
export { KapsuleView } from './views.ts';
export * from './vocabulary.ts';
