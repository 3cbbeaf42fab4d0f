import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** A package of others that is part of a release. */
export interface ShippedPackage {
  name: string;
  version: string;
  license: string;
  /** Where it is installed; not of a package inside another one. */
  folder?: string;
  /** The registry it comes from, as package URLs name it. */
  type: 'npm' | 'golang';
}

const lastPackage = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/;

/** The packages from which these modules come. */
export function packagesOf(modules: Iterable<string>): ShippedPackage[] {
  const folders = new Set<string>();
  for (const module of modules) {
    const folder = lastPackage.exec(module.replace(/^\0/, '').split('?')[0] ?? '')?.[1];
    if (folder !== undefined && existsSync(join(folder, 'package.json'))) folders.add(folder);
  }
  return [...folders].map(shippedPackage).sort(byName);
}

export const byName = (a: ShippedPackage, b: ShippedPackage): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1;

/** Each package of a version once. */
export const unique = (packages: readonly ShippedPackage[]): ShippedPackage[] => [
  ...new Map(packages.map((shipped) => [`${shipped.name}@${shipped.version}`, shipped])).values(),
];

export function shippedPackage(folder: string): ShippedPackage {
  const { name, version, license, licenses } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<string, string> & { licenses?: [{ type: string }] };
  const [, fromPath = ''] = folder.split(`${sep}node_modules${sep}`).slice(-2);
  return {
    name: name ?? fromPath,
    version: version ?? '0.0.0',
    license: license ?? licenses?.[0]?.type ?? 'UNKNOWN',
    folder,
    type: 'npm',
  };
}

const isLicense = (file: string) => /^(licen[cs]e|copying|notice|third_party_licenses)/i.test(file);

/** One text with the licence of each package, for the people who install the release. */
export function licenceTexts(packages: readonly ShippedPackage[]): string {
  const parts = packages.map(({ name, version, license, folder }) => {
    const files = folder === undefined ? [] : readdirSync(folder).filter(isLicense).sort();
    const texts = files.map((file) => readFileSync(join(folder ?? '', file), 'utf8').trim());
    const said = texts.length > 0 ? texts.join('\n\n') : `Licence: ${license}`;
    return `${'='.repeat(80)}\n${name} ${version} (${license})\n${'='.repeat(80)}\n\n${said}\n`;
  });
  return `Kaptain contains the following packages of others.\n\n${parts.join('\n')}`;
}
