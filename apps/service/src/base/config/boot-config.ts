import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import type { Variant } from '@kaptain/contract';
import { limits } from '@kaptain/contract/limits';
import { ConfigError } from '../errors/config-error.ts';

/** The readers of the metrics: programs of this computer, or callers with a token. */
export type MetricsAccess = 'loopback' | { token: string };

/** The configuration that is needed before the settings can be read; only the host's admin can change it. */
export interface BootConfig {
  dataDir: string;
  host: string;
  /** 0 selects a free port. */
  port: number;
  setupToken: string | undefined;
  /** The pepper that several instances share; without it each installation has its own file. */
  pepper: string | undefined;
  variant: Variant;
  /** Host names under which the first admin may be created. */
  publicHosts: readonly string[];
  /** Addresses of proxies whose X-Forwarded-… headers are trusted. */
  trustedProxies: readonly string[];
  /** Folders outside the data folder that paths in the settings may lead into. */
  allowedFolders: readonly string[];
  /** The public key of signed licenses: PEM, or the base64 text inside of it. */
  licenseKey: string;
  /** The folder of the platform's script logs. */
  scriptLogFolder: string;
  /** The size limit for the data of one granule, as JSON in UTF-8. */
  granuleBytes: number;
  /** Undefined: there are no metrics. */
  metrics: MetricsAccess | undefined;
  /** Log lines go to standard output too. */
  logsToStdout: boolean;
  /** The URL of the service for the console, when it is another one. */
  consoleServiceUrl: string;
}

// Repeated here, because importing the contract would delay the opening of the database.
const variants = ['default', 'alternative'] as const satisfies readonly Variant[];

type Value = { from: string; value: unknown } | undefined;
type Source = (variable: string | undefined, key: string) => Value;

/** Whether the folder of a file may be entered; otherwise it is unknown whether the file exists. */
function canEnterFolderOf(file: string): boolean {
  try {
    statSync(file);
    return true;
  } catch {
    return false;
  }
}

function bootFile(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    // A data folder that is not a folder is reported later, with a better message.
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return {};
    if (canEnterFolderOf(file))
      throw new ConfigError(`The boot file ${file} can't be opened: check the rights on it.`);
    throw new ConfigError(
      `The data folder ${dirname(file)} can't be opened: give the account of the service the right to, or choose another one with KAPTAIN_DATA_DIR.`,
    );
  }
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === 'object' && content !== null && !Array.isArray(content))
      return content as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new ConfigError(`The boot file ${file} is not a JSON object: correct it or remove it.`);
}

function readPort(setting: Value): number {
  if (!setting) return 8000;
  const port = typeof setting.value === 'number' ? setting.value : Number.parseInt(String(setting.value), 10);
  if (String(port) === String(setting.value).trim() && Number.isInteger(port) && port >= 0 && port <= 65_535)
    return port;
  throw new ConfigError(
    `${setting.from} must be a port number between 0 and 65535, not "${String(setting.value)}".`,
  );
}

function readGranuleBytes(setting: Value): number {
  if (!setting) return limits.granuleBytes;
  const [least, most] = [1024, limits.granuleBytesMost];
  const bytes = /^\d+$/.test(String(setting.value).trim()) ? Number(setting.value) : Number.NaN;
  if (bytes >= least && bytes <= most) return bytes;
  throw new ConfigError(`${setting.from} must be a number of bytes between ${least} and ${most}.`);
}

function readText(setting: Value): string | undefined {
  if (!setting) return undefined;
  if (typeof setting.value === 'string') return setting.value;
  throw new ConfigError(`${setting.from} must be a text.`);
}

function readPepper(setting: Value): string | undefined {
  const text = readText(setting);
  if (text === undefined || text.length >= 32) return text;
  throw new ConfigError(`${setting?.from} must be a secret text of 32 characters or more.`);
}

function readMetrics(setting: Value): MetricsAccess | undefined {
  const text = readText(setting);
  if (text === undefined || text === 'loopback') return text;
  if (/^[!-~]{32,512}$/.test(text)) return { token: text };
  throw new ConfigError(
    `${setting?.from} must be "loopback", or a secret token of 32 to 512 characters without spaces.`,
  );
}

export function readSwitch(setting: Value): boolean {
  if (typeof setting?.value === 'boolean') return setting.value;
  const text = (readText(setting) ?? 'false').trim().toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(text)) return true;
  if (['false', '0', 'no', 'off'].includes(text)) return false;
  throw new ConfigError(`${setting?.from} must be true or false.`);
}

function readVariant(setting: Value): Variant {
  if (!setting) return 'default';
  const variant = variants.find((name) => name === setting.value);
  if (variant) return variant;
  throw new ConfigError(`${setting.from} must be one of: ${variants.join(', ')}.`);
}

function readList(setting: Value): string[] {
  if (!setting) return [];
  const { value } = setting;
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw new ConfigError(`${setting.from} must be a list of texts.`);
}

const isAddressOrRange = (text: string): boolean => {
  const [address = '', bits = '0', more] = text.split('/');
  const version = isIP(address);
  return (
    more === undefined &&
    version !== 0 &&
    /^\d{1,3}$/.test(bits) &&
    Number(bits) <= (version === 4 ? 32 : 128)
  );
};

function readAddresses(setting: Value): string[] {
  const list = readList(setting);
  if (list.every(isAddressOrRange)) return list;
  throw new ConfigError(`${setting?.from} must be a list of addresses like 10.0.0.5 or 10.0.0.0/8.`);
}

function readUrl(setting: Value): string {
  const text = readText(setting) ?? '';
  if (text === '') return '';
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).origin;
  throw new ConfigError(`${setting?.from} must be an address like https://kaptain.example.com.`);
}

/** The environment overrides the boot file, which overrides the defaults; every error names what to correct. */
export function readBootConfig(env: NodeJS.ProcessEnv): BootConfig {
  const dataDir = resolve(env['KAPTAIN_DATA_DIR'] || 'data');
  const file = join(dataDir, 'kaptain.json');
  const inFile = bootFile(file);
  const known = new Set<string>();
  const source: Source = (variable, key) => {
    known.add(key);
    if (variable && env[variable]) return { from: variable, value: env[variable] };
    if (inFile[key] === undefined) return undefined;
    return { from: `"${key}" in ${file}`, value: inFile[key] };
  };
  const config = {
    dataDir,
    port: readPort(source('KAPTAIN_PORT', 'port')),
    host: readText(source('KAPTAIN_HOST', 'host')) ?? '127.0.0.1',
    setupToken: readText(source('SETUP_TOKEN', 'setupToken')),
    pepper: readPepper(source('KAPTAIN_PEPPER', 'pepper')),
    variant: readVariant(source('KAPTAIN_VARIANT', 'variant')),
    publicHosts: readList(source(undefined, 'publicHosts')),
    trustedProxies: readAddresses(source(undefined, 'trustedProxies')),
    allowedFolders: readList(source(undefined, 'allowedFolders')).map((folder) => resolve(folder)),
    scriptLogFolder: resolve(
      readText(source('KAPTAIN_SCRIPT_LOG_DIR', 'scriptLogFolder')) ?? join(dataDir, 'script-logs'),
    ),
    licenseKey: readText(source('KAPTAIN_LICENSE_KEY', 'licenseKey')) ?? '',
    granuleBytes: readGranuleBytes(source('KAPTAIN_GRANULE_BYTES', 'granuleBytes')),
    metrics: readMetrics(source('KAPTAIN_METRICS', 'metrics')),
    logsToStdout: readSwitch(source('KAPTAIN_LOG_STDOUT', 'logStdout')),
    consoleServiceUrl: readUrl(source(undefined, 'consoleServiceUrl')),
  };
  const unknown = Object.keys(inFile).find((key) => !known.has(key));
  // A misspelled key would leave its value at the default, e.g. a proxy that is not trusted.
  if (unknown !== undefined)
    throw new ConfigError(
      `"${unknown}" in ${file} is not a setting: correct or remove it. There are: ${[...known].join(', ')}.`,
    );
  return config;
}
