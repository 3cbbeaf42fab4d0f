import { limits } from '@kaptain/contract/limits';
import { dataSourceFields, type SettingField } from '@kaptain/contract/settings/data-source-fields';
import { emptyProvider } from '@kaptain/contract/settings/provider';
import type { SettingsInfo } from '@kaptain/contract/settings/settings';
import { emptyHosts, isUntouched } from '@kaptain/contract/settings/untouched';
import { ConnectionMode, DataSourceType } from '@kaptain/contract/vocabulary';
import { type Block, blockOf, textOf, valueAt } from './paths.ts';
import { fixedOf, noBackups, wholeDataSource } from './setting-defaults.ts';

/** The form: the blocks of the settings object and, under `temporary`, values that are never sent. */
export interface SettingsValues {
  settings: Block;
  security: { signExpiresIn: Block; [option: string]: unknown };
  hosts: Record<ConnectionMode, Block>;
  db: Block;
  provider: Block;
  license: Block;
  system: Block;
  backup: Block;
  temporary: {
    /** The types that are in the list. */
    dataSources: DataSourceType[];
    /** Names of the service's own certificate files that are on the service. */
    files: Record<string, string>;
    /** Files uploaded since the page was opened, and their original names. */
    newFiles: Record<string, string>;
    originDraft: string;
  };
  [dataSource: string]: unknown;
}

/** The form of the saved settings; missing values get their defaults (Spec 3 and 9). */
export function toForm(info: SettingsInfo): SettingsValues {
  const signExpiresIn = blockOf(blockOf(info.security)['signExpiresIn']);
  const present = DataSourceType.options.filter((type) => info[type] !== undefined && info[type] !== null);
  return {
    settings: {
      https: false,
      hsts: false,
      usePfxCertificate: false,
      pfxPassword: '',
      corsAllowOrigins: [],
      userId: '',
      userDirectory: '',
      ...info.settings,
    },
    security: { ...blockOf(info.security), signExpiresIn: { number: 24, timeUnit: 'h', ...signExpiresIn } },
    hosts: Object.fromEntries(
      ConnectionMode.options.map((mode): [ConnectionMode, Block] => [
        mode,
        { ...emptyHosts[mode], ...blockOf(valueAt(info.hosts, [mode])) },
      ]),
    ) as Record<ConnectionMode, Block>,
    db: {
      KAPTAIN_DB: '',
      KAPTAIN_DB_PASS: '',
      KAPTAIN_DB_USESSL: false,
      DO_NOT_SHOW_IN_KOMMENT: false,
      ...info.db,
    },
    provider: { ...emptyProvider, ...blockOf(info['provider']) },
    license: { LICENSE_TEXT: '', ...info.license },
    system: { logLevel: 'info', logPath: '', ...info.system },
    backup: { ...noBackups, ...info.backup },
    ...Object.fromEntries(present.map((type) => [type, wholeDataSource(type, blockOf(info[type]))])),
    temporary: { dataSources: present, files: {}, newFiles: {}, originDraft: '' },
  };
}

const asNumber = (value: unknown): unknown => {
  const text = textOf(value).trim();
  return /^-?\d+$/.test(text) ? Number(text) : value;
};
/** Fields hold numbers as text; the request has numbers. */
function withNumbers(block: Block, fields: readonly Pick<SettingField, 'key' | 'kind'>[]): Block {
  const numbers = fields.filter(({ kind }) => kind === 'port' || kind === 'number');
  return { ...block, ...Object.fromEntries(numbers.map(({ key }) => [key, asNumber(block[key])])) };
}

const trimmed = (value: unknown, path: readonly string[]): unknown => {
  if (typeof value === 'string') return isTrimmed(path) ? value.trim() : value;
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, trimmed(inner, [...path, key])]),
  );
};
/** Passwords, keys and licenses are not trimmed: a blank in them may be intended. */
const isTrimmed = (path: readonly string[]) => !/pass|apiKey|LICENSE_TEXT/i.test(path.at(-1) ?? '');

/** Leaves out options that are off and that the service did not send: another service does not know them. */
const withoutUnset = (block: Block, sent: Block): Block =>
  Object.fromEntries(
    Object.entries(block).filter(([key, value]) => key in sent || (value !== false && value !== undefined)),
  );

const creatorLimits = {
  kapsulesPerCreator: limits.kapsulesPerCreator,
  definitionMiBPerCreator: limits.definitionMiBPerCreator,
} as const;

/** A limit that was never set is not sent, because other implementations don't know it; an emptied one becomes the default. */
function withLimits(block: Block, sent: Block): Block {
  const result = { ...block };
  for (const [key, standard] of Object.entries(creatorLimits)) {
    if (textOf(block[key]).trim() !== '') result[key] = asNumber(block[key]);
    else if (key in sent) result[key] = standard;
    else delete result[key];
  }
  return result;
}

/**
 * Spec 7: the settings with temporary fields removed. A value that the form does not show stays as the service sent it,
 * so that saving without a change changes nothing.
 */
export function toBody(values: SettingsValues, info: SettingsInfo): Block {
  const mode = ConnectionMode.safeParse(values.settings['qlikHost']).data;
  const { https } = values.settings;
  const block = (path: readonly string[]): Block => ({
    ...blockOf(valueAt(info, path)),
    ...blockOf(trimmed(valueAt(values, path), path)),
  });
  const { generation: _, ...known } = info;
  const body: Block = {
    ...known,
    settings: {
      ...withLimits(block(['settings']), blockOf(info.settings)),
      // Spec 4: HTTPS off clears the PFX password and turns PFX off.
      ...(https !== true && { hsts: false, usePfxCertificate: false, pfxPassword: '' }),
    },
    security: {
      ...withoutUnset(block(['security']), blockOf(info.security)),
      signExpiresIn: withNumbers(block(['security', 'signExpiresIn']), [{ key: 'number', kind: 'number' }]),
    },
    // Only the chosen mode is taken from the form: incomplete values of another mode must not fail the validation.
    hosts: {
      ...info.hosts,
      ...(mode && { [mode]: { ...block(['hosts', mode]), ...fixedOf(mode) } }),
    },
    db:
      textOf(values.db['KAPTAIN_DB']) === ''
        ? undefined
        : withNumbers(block(['db']), [{ key: 'KAPTAIN_DB_PORT', kind: 'port' }]),
    // A provider that was never entered is not sent: another service does not know it.
    provider:
      info['provider'] === undefined && isUntouched(values.provider, emptyProvider)
        ? undefined
        : withNumbers(block(['provider']), [{ key: 'recheckMinutes', kind: 'number' }]),
    license: block(['license']),
    system: block(['system']),
    // Other services may have no backups.
    backup: info.backup && withNumbers(block(['backup']), [{ key: 'keep', kind: 'number' }]),
  };
  for (const type of DataSourceType.options)
    body[type] = values.temporary.dataSources.includes(type)
      ? withNumbers(block([type]), dataSourceFields[type])
      : undefined;
  return body;
}

/** Spec 5 requires the texts of certificate mode, the default, once it is used: a fresh installation has no platform yet. */
export const isCertificateUsed = ({ hosts, settings }: Pick<SettingsValues, 'hosts' | 'settings'>): boolean =>
  !isUntouched(hosts.CERT, emptyHosts.CERT) ||
  [settings['userId'], settings['userDirectory']].some((text) => textOf(text).trim() !== '');
