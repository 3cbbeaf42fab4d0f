/** `npm run build:extension`: writes the extension as one .zip, which the platform's console imports. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../setup/project.mjs';
import { bundleExtension, EXTENSION_NAME, packExtension } from './bundle-extension.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const folder = join(root, 'apps', 'extension', 'dist');
const code = await bundleExtension(root);
const file = join(folder, `${EXTENSION_NAME}-${version}.zip`);
mkdirSync(folder, { recursive: true });
writeFileSync(file, packExtension(code, version, Math.floor(Date.now() / 1000)));
const kilobytes = (gzipSync(code).length / 1000).toFixed(1);
console.log(`${relative(root, file)} (the code has ${kilobytes} kB with gzip)`);
