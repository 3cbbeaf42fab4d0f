import { OwnSession } from './account.ts';
import { ApiKey } from './api-keys.ts';
import { AuditEntry } from './audit.ts';
import { GranuleUpsert } from './data-api.ts';
import { ErrorAnswer } from './errors.ts';
import { ExtensionToken } from './extension.ts';
import { FieldFilter } from './field-filters.ts';
import { Granule, GranulePage, GranuleState, GranuleSummary, QvdFileResult } from './granules.ts';
import { Group, GroupForm } from './groups.ts';
import { KapFileResult, Kapsule, KapsuleStructure } from './kapsules.ts';
import { KapsuleSchedule, LogEntry, LogPage, PlatformUser } from './logs.ts';
import { SecondFactorState } from './second-factor.ts';
import { SessionUser } from './session.ts';
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
import { LogTail } from './system-logs.ts';
import { User } from './users.ts';
import { KapsuleView } from './views.ts';
import { Authority, DatabaseName, FieldType, JobStatus, Role, Success } from './vocabulary.ts';

/** The schemas that have a name in the OpenAPI document. */
export const schemas = {
  ApiKey,
  AuditEntry,
  Authority,
  ConfigurationFile,
  ConnectionResult,
  DatabaseName,
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
  KapsuleSchedule,
  KapsuleStructure,
  KapsuleView,
  LastApply,
  LicenseSummary,
  LogEntry,
  LogPage,
  LogTail,
  OwnSession,
  PlatformUser,
  QvdFileResult,
  Role,
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
