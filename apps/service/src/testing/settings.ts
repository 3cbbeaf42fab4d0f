import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from './caller.ts';
import type { TestApp } from './test-app.ts';

export const CONFIG = '/configuration/sys';
export const GET = `${CONFIG}/get/info`;
const PUT = `${CONFIG}/update/info`;
export const AGAIN = 'Please enter the password again';
export const CANARY = 'canary-4711';

export const put = (caller: Caller, body: object, headers = {}) => caller.call('PUT', PUT, { body, headers });
export const get = async (caller: Caller) =>
  (await caller.get(GET)).body as Record<string, Record<string, unknown>>;
export const saved = (app: TestApp) => app.settings.generations.numbers().length;
export const filesOf = ({ folder }: TestApp) =>
  readdirSync(join(folder, 'settings'))
    .sort()
    .map((name) => [name, readFileSync(join(folder, 'settings', name), 'utf8')]);

export const mysql = {
  MYSQL_POOL: 0,
  MYSQL_SERVER: 'db.example',
  MYSQL_PORT: 3306,
  MYSQL_USER: 'u',
  MYSQL_PASSWORD: 'pw-1',
  MYSQL_DATABASE: 'd',
};

export const secretive = {
  settings: {
    https: true,
    usePfxCertificate: true,
    pfxPassword: 'secret',
    qlikHost: 'SAAS',
    userId: 'moved',
  },
  hosts: { SAAS: { hostname: 'tenant.example', apiKey: CANARY } },
  mysql: { ...mysql, MYSQL_PASSWORD: CANARY },
};
