import { UserSession } from './account.ts';
import { ApiKey } from './api-keys.ts';
import { AuditEntry } from './audit.ts';
import { GranuleUpsert } from './data-api.ts';
import { DeletedKapsule } from './deleted-kapsules.ts';
import { ErrorAnswer } from './errors.ts';
import { ExtensionToken } from './extension.ts';
import { FieldFilter } from './field-filters.ts';
import { Granule, GranulePage, GranuleState, GranuleSummary, QvdFileResult } from './granules.ts';
import { Group, GroupForm } from './groups.ts';
import { KapFileResult, Kapsule, KapsuleChange, KapsuleOverview, KapsuleStructure } from './kapsules.ts';
import { KapsuleSchedule, LogEntry, LogPage, PlatformUser, Schedule, ScriptLog } from './logs.ts';
import {
  NewPasskey,
  Passkey,
  PasskeyCreation,
  PasskeyCredential,
  PasskeyProof,
  PasskeyRequest,
} from './passkeys.ts';
import { SecondFactorState } from './second-factor.ts';
import { BegunSignIn, SessionUser } from './session.ts';
import {
  ConfigurationFile,
  Generation,
  ImportPreview,
  LastApply,
  LicenseSummary,
  SettingDifference,
  SettingsState,
} from './settings/generations.ts';
import { ConnectionResult } from './settings/routes.ts';
import { SettingsInfo, SettingsUpdate } from './settings/settings.ts';
import { StatusCheck } from './status.ts';
import { LogFileInfo, LogTail } from './system-logs.ts';
import { ChangedThread } from './thread-calls.ts';
import { User } from './users.ts';
import { KapsuleView } from './views.ts';
import { Authority, DatabaseName, FieldType, JobStatus, Role, Success } from './vocabulary.ts';

/** The schemas that have a name in the OpenAPI document. */
export const schemas = {
  ApiKey,
  AuditEntry,
  Authority,
  BegunSignIn,
  ChangedThread,
  ConfigurationFile,
  ConnectionResult,
  DatabaseName,
  DeletedKapsule,
  Error: ErrorAnswer,
  ExtensionToken,
  FieldFilter,
  FieldType,
  Generation,
  Granule,
  GranulePage,
  GranuleState,
  GranuleSummary,
  GranuleUpsert,
  Group,
  GroupForm,
  ImportPreview,
  JobStatus,
  KapFileResult,
  Kapsule,
  KapsuleChange,
  KapsuleOverview,
  KapsuleSchedule,
  KapsuleStructure,
  KapsuleView,
  LastApply,
  LicenseSummary,
  LogEntry,
  LogFileInfo,
  LogPage,
  LogTail,
  NewPasskey,
  UserSession,
  Passkey,
  PasskeyCreation,
  PasskeyCredential,
  PasskeyProof,
  PasskeyRequest,
  PlatformUser,
  QvdFileResult,
  Role,
  Schedule,
  ScriptLog,
  SecondFactorState,
  SessionUser,
  SettingDifference,
  SettingsInfo,
  SettingsState,
  SettingsUpdate,
  StatusCheck,
  Success,
  User,
};
