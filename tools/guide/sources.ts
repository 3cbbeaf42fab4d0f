import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/project.mjs';

/** The text of all sources that match, without tests. */
export function sources(...patterns: string[]): string {
  return globSync(patterns, { cwd: root })
    .filter((file) => !/\.test\.tsx?$|node_modules/.test(file) && statSync(join(root, file)).isFile())
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
}

/** The words that the console fills into its texts, as the variant `default` has them. */
const words: Record<string, string> = {
  platform: 'Qlik',
  service: 'Kaptain',
  'kapsule.One': 'Kapsule',
  'kapsule.Many': 'Kapsules',
  'kapsule.one': 'kapsule',
  'database.One': 'Database',
};

/** The sources of console and extension with the words of the variant filled in: `Use in ${words.platform}` is `Use in Qlik`. */
export function consoleTexts(): string {
  const text = sources('apps/{console,extension}/src/**/*.{ts,tsx}', 'packages/contract/src/**/*.ts');
  const filled = text.replace(/\$?\{(?:words\.)?([\w.]+)\}/g, (whole, name: string) => words[name] ?? whole);
  return filled.replaceAll('title: (words) => words.kapsule.Many', "title: 'Kapsules'");
}
