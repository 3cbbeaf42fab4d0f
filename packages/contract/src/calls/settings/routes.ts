import { z } from 'zod';
import { json, route, text } from '../../kit/route.ts';
import { plainText } from '../../kit/text.ts';
import { limits } from '../../rules/limits.ts';
import { messages } from '../../rules/messages.ts';
import { DataSourceType, Success } from '../../vocabulary.ts';
import {
  ConfigurationFile,
  Generation,
  ImportPreview,
  SettingDifference,
  SettingsState,
} from './generations.ts';
import { SettingsInfo, SettingsUpdate } from './settings.ts';

const certificate = (endings: readonly string[]) =>
  ({ field: 'file', many: false, endings, maxBytes: limits.certificateBytes, maxFiles: 1 }) as const;

const upload = <const F extends string>(file: F, endings: readonly string[]) =>
  route({
    method: 'POST',
    path: `/configuration/sys/upload/file/${file}`,
    access: 'admin',
    proof: 'ifAsked',
    summary: `Upload ${file}, the service’s own certificate; it is used after the next restart.`,
    files: certificate(endings),
    answer: text,
  });

export const ConnectionResult = z.object({
  ok: z.boolean(),
  latencyMs: z.number().optional(),
  category: z.enum(['unknownHost', 'refused', 'timeout', 'tls', 'login', 'other']).optional(),
  message: z.string(),
  /** The first thing to check. */
  hint: z.string().optional(),
});

const passphrase = plainText(limits.passwordMaxBytes).min(8, messages.passwordTooShort).optional();
const transfer = z.object({ file: ConfigurationFile, passphrase });
const generation = z.object({ generation: z.coerce.number().int().min(1) });

export const settings = {
  get: route({
    method: 'GET',
    path: '/configuration/sys/get/info',
    access: 'admin',
    summary: 'The settings, secrets masked. The ETag is the number of their generation.',
    answer: json(SettingsInfo),
  }),
  update: route({
    method: 'PUT',
    path: '/configuration/sys/update/info',
    access: 'admin',
    proof: 'ifAsked',
    summary:
      'Check, try and store new settings; they act after the restart. If-Match guards against two admins.',
    body: SettingsUpdate,
    maxBodyBytes: limits.settingsBytes,
    answer: json(Success),
    ifMatch: true,
  }),
  hasFile: route({
    method: 'GET',
    path: '/configuration/sys/has/file/kaptain/:fileName',
    access: 'admin',
    summary: 'Whether a certificate file is there.',
    params: z.object({ fileName: plainText(limits.nameCharacters) }),
    answer: json(z.looseObject({ exists: z.boolean().optional() })),
  }),
  restart: route({
    method: 'POST',
    path: '/configuration/sys/restart/service',
    access: 'admin',
    proof: 'ifAsked',
    summary: 'Restart the service with the stored settings.',
    answer: json(Success),
    errors: ['TOO_MANY_REQUESTS'],
  }),
  importFile: route({
    method: 'POST',
    path: '/configuration/sys/import/file',
    access: 'admin',
    proof: 'ifAsked',
    summary: 'Upload a .pem file for the platform connection; answers with its stored path.',
    files: certificate(['.pem']),
    answer: text,
  }),
  uploadServerPfx: upload('server.pfx', ['.pfx']),
  uploadServerPem: upload('server.pem', ['.pem']),
  uploadServerKey: upload('server_key.pem', ['.pem']),
  testConnection: route({
    method: 'POST',
    path: '/configuration/sys/test/connection',
    access: 'admin',
    summary: 'Try the platform, the database or a data source with the values of the form.',
    extra: true,
    body: z.object({
      target: z.enum(['platform', 'database', ...DataSourceType.options]),
      /** The settings object as the form would save it; only the target's blocks are used. */
      settings: z.record(z.string(), z.unknown()),
    }),
    answer: json(ConnectionResult),
  }),
  testSignIn: route({
    method: 'POST',
    path: '/configuration/sys/test/sign-in',
    access: 'admin',
    summary:
      'The address of a sign-in with the provider of the form, which opens no session and shows what the person would be.',
    extra: true,
    body: z.object({ settings: z.record(z.string(), z.unknown()) }),
    answer: json(z.object({ url: z.string() })),
  }),
  state: route({
    method: 'GET',
    path: '/configuration/sys/state',
    access: 'admin',
    summary:
      'Which generation is saved and which runs, how the last restart went, and what the license says.',
    extra: true,
    answer: json(SettingsState),
  }),
  history: route({
    method: 'GET',
    path: '/configuration/sys/history',
    access: 'admin',
    summary: 'The kept generations of the settings, newest first: when, who, and which fields.',
    extra: true,
    answer: json(z.array(Generation)),
  }),
  difference: route({
    method: 'GET',
    path: '/configuration/sys/history/:generation',
    access: 'admin',
    summary: 'What a return to an earlier generation would change.',
    extra: true,
    params: generation,
    answer: json(z.array(SettingDifference)),
  }),
  returnTo: route({
    method: 'POST',
    path: '/configuration/sys/history/:generation',
    access: 'admin',
    proof: 'ifAsked',
    summary: 'Check, try and store an earlier generation as a new one, secrets and certificates included.',
    extra: true,
    params: generation,
    answer: json(Success),
    ifMatch: true,
  }),
  exportAll: route({
    method: 'POST',
    path: '/configuration/sys/transfer/export',
    access: 'admin',
    proof: 'ifAsked',
    summary: 'The whole configuration for another server: without secrets, or with them under a passphrase.',
    extra: true,
    body: z.object({ passphrase }),
    answer: json(ConfigurationFile),
  }),
  previewImport: route({
    method: 'POST',
    path: '/configuration/sys/transfer/preview',
    access: 'admin',
    summary: 'What an exported configuration would change here. Nothing is stored.',
    extra: true,
    body: transfer,
    maxBodyBytes: 20 * limits.certificateBytes,
    answer: json(ImportPreview),
  }),
  importAll: route({
    method: 'POST',
    path: '/configuration/sys/transfer/import',
    access: 'admin',
    proof: 'ifAsked',
    summary: 'Check, try and store an exported configuration; it acts after the restart.',
    extra: true,
    body: transfer,
    maxBodyBytes: 20 * limits.certificateBytes,
    answer: json(Success),
    ifMatch: true,
  }),
};
