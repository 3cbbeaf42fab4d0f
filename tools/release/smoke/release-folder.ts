import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import packageJson from '../../../package.json' with { type: 'json' };
import { root, SetupError } from '../../setup/project.mjs';

/** A file of the release to try: in the folder `release`, or in the one that `--from` names. */
export function releaseFile(ending: string): string {
  const { values } = parseArgs({ options: { from: { type: 'string' } } });
  const file = resolve(values.from ?? join(root, 'release'), `kaptain-${packageJson.version}-${ending}`);
  if (!existsSync(file)) throw new SetupError(`There is no ${file}: run "npm run release" first.`);
  return file;
}
