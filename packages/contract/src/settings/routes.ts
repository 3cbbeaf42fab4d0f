import { z } from 'zod';
import { json, route, text } from '../kit/route.ts';
import { plainText } from '../kit/text.ts';
import { limits } from '../limits.ts';
import { DataSourceType, Success } from '../vocabulary.ts';
import { SettingsInfo, SettingsUpdate } from './settings.ts';

const certificate = (endings: readonly string[]) =>
  ({ field: 'file', many: false, endings, maxBytes: limits.certificateBytes, maxFiles: 1 }) as const;

const upload = <const F extends string>(file: F, endings: readonly string[]) =>
  route({
    method: 'POST',
    path: `/configuration/sys/upload/file/${file}`,
    access: 'admin',
    summary: `Upload ${file}, the service’s own certificate; it is used after the next restart.`,
    files: certificate(endings),
    answer: text,
  });

const ConnectionResult = z.object({
  ok: z.boolean(),
  latencyMs: z.number().optional(),
  category: z.enum(['refused', 'timeout', 'tls', 'login', 'other']).optional(),
  message: z.string(),
});

export const settings = {
  get: route({
    method: 'GET',
    path: '/configuration/sys/get/info',
    access: 'admin',
    summary: 'The settings, secrets masked.',
    answer: json(SettingsInfo),
  }),
  update: route({
    method: 'PUT',
    path: '/configuration/sys/update/info',
    access: 'admin',
    summary: 'Check and store new settings; they act after the restart.',
    body: SettingsUpdate,
    answer: json(Success),
    errors: ['STALE'],
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
    summary: 'Restart the service with the stored settings.',
    answer: json(Success),
    errors: ['TOO_MANY_REQUESTS'],
  }),
  importFile: route({
    method: 'POST',
    path: '/configuration/sys/import/file',
    access: 'admin',
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
      settings: z.record(z.string(), z.unknown()),
    }),
    answer: json(ConnectionResult),
  }),
};
