/** `npm run build:client`: writes the typed client as a package that other programs install. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { root } from '../setup/project.mjs';
import { packClient } from './pack-client.ts';

const { version } = packageJson;
const folder = join(root, 'packages', 'client', 'dist');
const file = join(folder, `kaptain-client-${version}.tgz`);
mkdirSync(folder, { recursive: true });
const content = await packClient(root, version, Math.floor(Date.now() / 1000));
writeFileSync(file, content);
console.log(`${relative(root, file)} (${(content.length / 1000).toFixed(1)} kB)`);
