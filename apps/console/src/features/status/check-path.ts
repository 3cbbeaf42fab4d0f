import { dataSourceNames } from '@kaptain/contract/data-source-names';
import type { Words } from '../../variants/variant.ts';

const SETTINGS = '/data/setting';
const sources: readonly string[] = Object.values(dataSourceNames);

/** The page where a check can be looked into or corrected; undefined when that is outside the console. */
export function checkPath(name: string): string | undefined {
  const paths: Record<string, string> = {
    Database: `${SETTINGS}#database`,
    Platform: `${SETTINGS}#platform-connection`,
    Settings: SETTINGS,
    License: `${SETTINGS}#license`,
    'Last failed job': '/system/logs?status=failed',
  };
  return paths[name] ?? (sources.includes(name) ? `${SETTINGS}#data-sources` : undefined);
}

/** The name of a check in the terms of the variant. */
export const checkName = (name: string, { database, platform }: Words): string =>
  ({ Database: database.One, Platform: platform })[name] ?? name;
