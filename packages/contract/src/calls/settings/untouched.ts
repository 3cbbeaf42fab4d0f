import type { ConnectionMode } from '../../vocabulary.ts';

/** The fixed schema path of SPEC 3: engine version 12.20.0. */
export const ENGINE_SCHEMA = 'enigma.js/schemas/12.20.0.json';

/** Where an installation of the platform keeps the certificates it exports for its own machine. */
export const LOCAL_CERTIFICATES_ROOT =
  'C:\\ProgramData\\Qlik\\Sense\\Repository\\Exported Certificates\\.Local Certificates';

const server = {
  hostname: '',
  qrsHostname: '',
  prefix: '',
  isSecure: true,
  userIdAttr: 'userId',
  userDirectoryAttr: 'userDirectory',
};
const host = <M extends ConnectionMode>(mode: M) => ({ mode, schema: ENGINE_SCHEMA });

/** SPEC 3: each connection mode before anything was entered for it. */
export const emptyHosts = {
  CERT: {
    ...host('CERT'),
    ...server,
    useQlikLocalCertificates: true,
    qlikLocalCertificatesRoot: LOCAL_CERTIFICATES_ROOT,
    certFile: '',
    keyFile: '',
    caFile: '',
  },
  JWT: { ...host('JWT'), ...server, keyFile: '' },
  SAAS: { ...host('SAAS'), hostname: '', apiKey: '' },
  DESKTOP: { ...host('DESKTOP'), hostname: 'localhost:9076', prefix: '', isSecure: false },
} as const satisfies Record<ConnectionMode, object>;

/** No database server was chosen: the service keeps its data in its own store. */
export const emptyDb = {
  KAPTAIN_DB: '',
  KAPTAIN_DB_HOST: '',
  KAPTAIN_DB_PORT: 5432,
  KAPTAIN_DB_USER: '',
  KAPTAIN_DB_PASS: '',
  KAPTAIN_DB_NAME: '',
  KAPTAIN_DB_USESSL: false,
  DO_NOT_SHOW_IN_KOMMENT: false,
} as const;

/** Nothing was entered: every value is the default, empty or absent. */
export const isUntouched = (block: object, empty: object): boolean =>
  Object.entries(empty).every(([key, value]) => {
    const entered: unknown = (block as Record<string, unknown>)[key];
    return entered === value || entered === '' || entered === undefined;
  });
