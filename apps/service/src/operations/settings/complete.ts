import { isIP } from 'node:net';
import { DataSourceType, dataSourceFields, generic, type SettingsUpdate } from '@kaptain/contract';
import { addressesIn } from '@kaptain/store';
import { Refusal } from '../../base/config/settings/refusal.ts';
import { untouchedBlocks } from '../../base/config/settings/untouched-blocks.ts';
import { valueAt } from '../../base/config/settings/value-at.ts';

/** Characters that make a host mean something else to a driver: a socket file, a second option, a login. */
const ODD_IN_HOST = /[\s/;()@?#'"=,]/;
/** Addresses of cloud metadata services and the unspecified address, which are never connected to. */
const NEVER = /^(169\.254\.|0\.0\.0\.0$|\[(::ffff:a9fe:|::ffff:0:0\]|fe80:|fd00:ec2::254\]|::\]))/;

/** Parses the host as a URL does, because an address has many spellings, e.g. one decimal number. */
function isForbidden(host: string): boolean {
  const url = `https://${isIP(host) === 6 ? `[${host}]` : host}`;
  return URL.canParse(url) && NEVER.test(new URL(url).hostname);
}

const hostFields = [
  { block: 'db', key: 'KAPTAIN_DB_HOST', label: 'Host' },
  ...DataSourceType.options.flatMap((block) =>
    dataSourceFields[block].filter(({ isHost }) => isHost).map(({ key, label }) => ({ block, key, label })),
  ),
];

const isHost = (block: string, value: string): boolean => {
  if (ODD_IN_HOST.test(value) || isForbidden(value)) return false;
  // Only SQL Server has instance names, after a backslash.
  if (value.includes('\\')) return block === 'mssql' && /^[^\\]+\\[^\\]+$/.test(value);
  return isIP(value) !== 0 || /^[\p{L}\p{N}._-]+$/u.test(value);
};

/** The service's own database may have several servers: a primary and its standbys, or the members of a replica set. */
const areHosts = (value: string): boolean =>
  addressesIn(value, 1).every((address) => address !== undefined && isHost('db', address.host));

const platformHostFields = [
  ['CERT', 'hostname', 'Engine Hostname'],
  ['CERT', 'qrsHostname', 'Repository Hostname'],
  ['JWT', 'hostname', 'Engine Hostname'],
  ['JWT', 'qrsHostname', 'Repository Hostname'],
  ['SAAS', 'hostname', 'Tenant Hostname'],
] as const;

const isHostWithPort = (value: string): boolean =>
  !ODD_IN_HOST.test(value) &&
  !value.includes('\\') &&
  URL.canParse(`https://${value}`) &&
  !isForbidden(value);

function checkHosts(settings: SettingsUpdate): void {
  for (const { block, key, label } of hostFields) {
    const value = valueAt(settings, [block, key]);
    if (typeof value !== 'string') continue;
    if (!(block === 'db' ? areHosts(value) : isHost(block, value)))
      throw new Refusal(`${block}.${key}`, `${label} is not a valid host name.`);
  }
  for (const [mode, key, label] of platformHostFields) {
    const value = valueAt(settings, ['hosts', mode, key]);
    if (typeof value === 'string' && value !== '' && !isHostWithPort(value))
      throw new Refusal(`hosts.${mode}.${key}`, `${label} is not a valid host name.`);
  }
}

/** Spec 5: the fields that the chosen connection mode requires. */
function* neededByMode({
  settings,
  hosts,
}: SettingsUpdate): Generator<[field: string, label: string, value: string | undefined]> {
  if (settings.qlikHost === 'JWT') yield ['hosts.JWT.hostname', 'Engine Hostname', hosts.JWT?.hostname];
  if (settings.qlikHost === 'SAAS') {
    yield ['hosts.SAAS.hostname', 'Tenant Hostname', hosts.SAAS?.hostname];
    yield ['hosts.SAAS.apiKey', 'API Key', hosts.SAAS?.apiKey];
  }
  // CERT is the default mode, so an empty CERT block means that there is no platform.
  if (settings.qlikHost !== 'CERT' || !hosts.CERT) return;
  yield ['settings.userId', 'User ID', settings.userId];
  yield ['settings.userDirectory', 'User Directory', settings.userDirectory];
  if (hosts.CERT.useQlikLocalCertificates) return;
  yield ['hosts.CERT.certFile', 'Certificate File', hosts.CERT.certFile];
  yield ['hosts.CERT.keyFile', 'Key File', hosts.CERT.keyFile];
  yield ['hosts.CERT.caFile', 'Root File', hosts.CERT.caFile];
}

/** Spec 5: the required texts of a block in use can't be emptied; a client that omits the block removes it. */
export function checkNotEmptied(given: SettingsUpdate, before: SettingsUpdate): void {
  const [emptied] = untouchedBlocks(given).filter((block) => valueAt(before, block.split('.')) !== undefined);
  if (emptied === undefined) return;
  const [field, label] =
    emptied === 'db'
      ? ['db.KAPTAIN_DB', 'Type']
      : [`${emptied}.hostname`, emptied === 'hosts.SAAS' ? 'Tenant Hostname' : 'Engine Hostname'];
  throw new Refusal(field, generic('required', { label }));
}

/** The rules of SPEC 5 that depend on several fields, and the validity of hosts. */
export function checkComplete(settings: SettingsUpdate): void {
  const { issuer = '' } = settings.provider ?? {};
  if (URL.canParse(issuer) && isForbidden(new URL(issuer).hostname.replace(/^\[|\]$/g, '')))
    throw new Refusal('provider.issuer', 'Issuer is not a valid host name.');
  for (const [field, label, value] of neededByMode(settings))
    if (!value) throw new Refusal(field, generic('required', { label }));
  checkHosts(settings);
}
