import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { arBytes } from './archives/ar.ts';
import { type Entry, textEntry } from './archives/entry.ts';
import { tarGzBytes } from './archives/tar.ts';

const files = join(import.meta.dirname, 'files');
const scripts = ['postinst', 'prerm', 'postrm'];
const conffile = 'etc/default/kaptain';
const architectures = { x64: 'amd64', arm64: 'arm64' } as const;

const control = (version: string, cpu: keyof typeof architectures, kilobytes: number) => `Package: kaptain
Version: ${version}
Architecture: ${architectures[cpu]}
Maintainer: Kaptain <kaptain@localhost>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libstdc++6, passwd, util-linux
Section: misc
Priority: optional
Description: comments and write-back values for Qlik Sense
 The service of Kaptain and its administration console, with the Node that runs them. The data is in /var/lib/kaptain and
 stays there when the package is removed.
`;

/** A Debian package of the program's files: user, folder and service are made when it is installed. */
export function debBytes(
  version: string,
  cpu: keyof typeof architectures,
  program: Iterable<Entry>,
  seconds: number,
): Buffer {
  const data: Entry[] = [
    textEntry(`./${conffile}`, readFileSync(join(files, 'deb', 'default'), 'utf8')),
    textEntry('./lib/systemd/system/kaptain.service', readFileSync(join(files, 'kaptain.service'), 'utf8')),
    ...[...program].map((entry) => ({ ...entry, path: `./opt/${entry.path}` })),
    textEntry('./usr/bin/kaptain', readFileSync(join(files, 'deb', 'kaptain.sh'), 'utf8'), 0o755),
  ];
  const sums = data
    .filter(({ link }) => link === undefined)
    .map(({ path, content }) => `${createHash('md5').update(content).digest('hex')}  ${path.slice(2)}\n`);
  const kilobytes = Math.ceil(data.reduce((sum, { content }) => sum + content.length, 0) / 1024);
  const about = [
    textEntry('./conffiles', `/${conffile}\n`),
    textEntry('./control', control(version, cpu, kilobytes)),
    textEntry('./md5sums', sums.join('')),
    ...scripts.map((name) => textEntry(`./${name}`, readFileSync(join(files, 'deb', name), 'utf8'), 0o755)),
  ];
  const members = [
    { name: 'debian-binary', content: Buffer.from('2.0\n') },
    { name: 'control.tar.gz', content: tarGzBytes(about, seconds) },
    { name: 'data.tar.gz', content: tarGzBytes(data, seconds) },
  ];
  return arBytes(members, seconds);
}
