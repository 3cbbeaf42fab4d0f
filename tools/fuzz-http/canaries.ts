import { SECRET_MASK } from '@kaptain/contract';
import { PASSWORD } from '../../apps/service/src/testing/test-app.ts';

/** Secrets in the settings, which no answer may contain. */
const secrets = {
  pfx: 'canary-pfx-81f2a6',
  saas: 'canary-saas-c07be1',
  postgresql: 'canary-postgresql-44d9e0',
  mysql: 'canary-mysql-b8a713',
};

/** The origin of the page that the extension runs in. */
export const ALLOWED_ORIGIN = 'https://allowed.invalid';

/** Data sources on a local port that refuses connections, so that every attempt fails quickly. */
const settingsWith = (of: typeof secrets) => ({
  settings: {
    apiKey: true,
    corsAllowOrigins: [ALLOWED_ORIGIN],
    qlikHost: 'DESKTOP',
    pfxPassword: of.pfx,
  },
  hosts: { DESKTOP: {}, SAAS: { hostname: 'tenant.invalid', apiKey: of.saas } },
  postgresql: {
    POSTGRE_USER: 'kaptain',
    POSTGRE_SERVER: '127.0.0.1',
    POSTGRE_DATABASE: 'kaptain',
    POSTGRE_PASSWORD: of.postgresql,
    POSTGRE_PORT: 1,
  },
  mysql: {
    MYSQL_POOL: 1,
    MYSQL_SERVER: '127.0.0.1',
    MYSQL_USER: 'kaptain',
    MYSQL_DATABASE: 'kaptain',
    MYSQL_PASSWORD: of.mysql,
    MYSQL_PORT: 1,
  },
});

export const settingsWithSecrets = settingsWith(secrets);
export const maskedSettings = settingsWith({
  pfx: SECRET_MASK,
  saas: SECRET_MASK,
  postgresql: SECRET_MASK,
  mysql: SECRET_MASK,
});

export const canaries: readonly string[] = [...Object.values(secrets), PASSWORD, '$argon2id$'];
