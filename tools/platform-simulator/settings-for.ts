import { join } from 'node:path';
import { ENGINE_SCHEMA } from '@kaptain/contract';
import { OAUTH_CLIENT } from './tenant-oauth.ts';

export interface Ports {
  engine: number;
  repository: number;
  proxy: number;
  tenant: number;
  desktop: number;
}

export const PROXY_PREFIX = 'kaptain';
export const CLAIMS = { userId: 'uid', userDirectory: 'udc' };

interface Endpoints {
  ports: Ports;
  certificateFolder: string;
  apiKey: string;
}

type Mode = 'CERT' | 'JWT' | 'SAAS' | 'DESKTOP';

/** The settings of each connection mode. */
export const settingsFor = ({ ports, certificateFolder, apiKey }: Endpoints) => {
  const common = {
    schema: ENGINE_SCHEMA,
    prefix: '',
    userIdAttr: 'userId',
    userDirectoryAttr: 'userDirectory',
  } as const;
  const hosts = {
    CERT: {
      ...common,
      mode: 'CERT',
      hostname: `localhost:${ports.engine}`,
      qrsHostname: `localhost:${ports.repository}`,
      isSecure: true,
      useQlikLocalCertificates: true,
      qlikLocalCertificatesRoot: certificateFolder,
      certFile: '',
      keyFile: '',
      caFile: '',
    },
    JWT: {
      ...common,
      mode: 'JWT',
      hostname: `localhost:${ports.proxy}`,
      qrsHostname: '',
      prefix: PROXY_PREFIX,
      isSecure: false,
      userIdAttr: CLAIMS.userId,
      userDirectoryAttr: CLAIMS.userDirectory,
      keyFile: join(certificateFolder, 'jwt_key.pem'),
    },
    SAAS: {
      mode: 'SAAS',
      schema: ENGINE_SCHEMA,
      hostname: `localhost:${ports.tenant}`,
      apiKey,
      clientId: OAUTH_CLIENT,
    },
    // The type has only the standard port; the simulator may listen on another one.
    DESKTOP: {
      mode: 'DESKTOP',
      schema: ENGINE_SCHEMA,
      hostname: `localhost:${ports.desktop}` as 'localhost:9076',
      prefix: '',
      isSecure: false,
    },
  } as const;
  return (qlikHost: Mode) => ({
    settings: { qlikHost, userId: 'kaptain', userDirectory: 'SIMULATED' },
    hosts: { [qlikHost]: hosts[qlikHost] } as { [M in Mode]?: (typeof hosts)[M] },
  });
};
