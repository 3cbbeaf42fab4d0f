import { UserSession } from './calls/account.ts';
import { ApiKey } from './calls/api-keys.ts';
import {
  Proposal,
  ProposalConflict,
  ProposalPage,
  ProposalResult,
  ProposalState,
} from './calls/approvals.ts';
import { AuditEntry } from './calls/audit.ts';
import { GranuleUpsert } from './calls/data-api.ts';
import { DeletedKapsule } from './calls/deleted-kapsules.ts';
import { ExtensionToken } from './calls/extension.ts';
import { Granule, GranulePage, GranuleState, GranuleSummary, QvdFileResult } from './calls/granules.ts';
import { Group, GroupForm } from './calls/groups.ts';
import {
  KapFileResult,
  Kapsule,
  KapsuleChange,
  KapsuleOverview,
  KapsuleStructure,
  NewField,
} from './calls/kapsules.ts';
import { KapsuleSchedule, LogEntry, LogPage, PlatformUser, Schedule, ScriptLog } from './calls/logs.ts';
import { FieldsCheck, MisfitPage, RefusedRows, RefusedValue, RuleCount } from './calls/misfits.ts';
import {
  NewPasskey,
  Passkey,
  PasskeyCreation,
  PasskeyCredential,
  PasskeyProof,
  PasskeyRequest,
} from './calls/passkeys.ts';
import { SecondFactorState } from './calls/second-factor.ts';
import { ServiceInstance } from './calls/service-instance.ts';
import { BegunSignIn, SessionUser } from './calls/session.ts';
import {
  ConfigurationFile,
  Generation,
  ImportPreview,
  LastApply,
  LicenseSummary,
  SettingDifference,
  SettingsState,
} from './calls/settings/generations.ts';
import { ConnectionResult } from './calls/settings/routes.ts';
import { SettingsInfo, SettingsUpdate } from './calls/settings/settings.ts';
import { StatusCheck } from './calls/status.ts';
import { LogFileInfo, LogTail } from './calls/system-logs.ts';
import { ChangedThread } from './calls/threads.ts';
import { User } from './calls/users.ts';
import { KapsuleView } from './calls/views.ts';
import { FieldFilter } from './field-filters.ts';
import { FieldType } from './fields/schema.ts';
import { Approval } from './rules/approvals/schema.ts';
import { ErrorAnswer } from './rules/errors.ts';
import { FieldCondition, KapsuleLock, TimeCondition } from './rules/locks/schema.ts';
import { Authority, DatabaseName, JobStatus, Role, Success } from './vocabulary.ts';

/** The schemas that have a name in the OpenAPI document. */
export const schemas = {
  ApiKey,
  Approval,
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
  FieldCondition,
  FieldFilter,
  FieldType,
  FieldsCheck,
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
  KapsuleLock,
  KapsuleOverview,
  KapsuleSchedule,
  KapsuleStructure,
  KapsuleView,
  NewField,
  LastApply,
  LicenseSummary,
  LogEntry,
  LogFileInfo,
  LogPage,
  LogTail,
  MisfitPage,
  NewPasskey,
  UserSession,
  Passkey,
  PasskeyCreation,
  PasskeyCredential,
  PasskeyProof,
  PasskeyRequest,
  PlatformUser,
  Proposal,
  ProposalConflict,
  ProposalPage,
  ProposalResult,
  ProposalState,
  QvdFileResult,
  RefusedRows,
  RefusedValue,
  Role,
  RuleCount,
  Schedule,
  ScriptLog,
  SecondFactorState,
  ServiceInstance,
  SessionUser,
  SettingDifference,
  SettingsInfo,
  SettingsState,
  SettingsUpdate,
  StatusCheck,
  Success,
  TimeCondition,
  User,
};
