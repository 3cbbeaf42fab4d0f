import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type Entry, textEntry } from './archives/entry.ts';
import { tarBytes } from './archives/tar.ts';
import { sharedLibraries } from './shared-libraries.ts';

const USER = 10_001;
const HOME = '/opt/kaptain';
const PORT = '8000/tcp';
const architectures = { x64: 'amd64', arm64: 'arm64' } as const;

/** The licence of each library, where Debian keeps it. */
const copyrights = ['libc6', 'libstdc++6', 'libgcc-s1']
  .map((name) => `/usr/share/doc/${name}/copyright`)
  .filter((file) => existsSync(file));

const fileEntry = (file: string, mode: number): Entry => ({
  path: file.slice(1),
  mode,
  content: readFileSync(realpathSync(file)),
});

/** The shared libraries of this machine that the program needs, and the few files that a system has. */
function systemEntries(program: Iterable<Entry>): Entry[] {
  return [
    ...sharedLibraries(program).map((file) => fileEntry(file, 0o755)),
    ...copyrights.map((file) => fileEntry(file, 0o644)),
    textEntry('etc/passwd', `root:x:0:0::/:\nkaptain:x:${USER}:${USER}::/data:\n`),
    textEntry('etc/group', `root:x:0:\nkaptain:x:${USER}:\n`),
    textEntry('etc/nsswitch.conf', 'hosts: files dns\n'),
    { path: 'data/', mode: 0o700, content: Buffer.alloc(0), owner: USER },
    { path: 'tmp/', mode: 0o1777, content: Buffer.alloc(0) },
  ];
}

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
}

/** Collects the parts of an image by their hash. */
class Blobs {
  readonly entries: Entry[] = [];

  add(kind: string, content: Buffer): Descriptor {
    const hash = createHash('sha256').update(content).digest('hex');
    this.entries.push({ path: `blobs/sha256/${hash}`, mode: 0o644, content });
    return { mediaType: `application/vnd.oci.image.${kind}`, digest: `sha256:${hash}`, size: content.length };
  }

  addJson(kind: string, content: object): Descriptor {
    return this.add(`${kind}+json`, Buffer.from(JSON.stringify(content)));
  }
}

/** How the image runs: not as root; only /data is written to. */
const settings = (version: string) => ({
  User: `${USER}:${USER}`,
  Env: ['KAPTAIN_HOST=0.0.0.0', 'KAPTAIN_DATA_DIR=/data'],
  Entrypoint: [`${HOME}/node/bin/node`, `${HOME}/app/service/lib/kaptain.js`],
  Cmd: ['start'],
  WorkingDir: '/data',
  ExposedPorts: { [PORT]: {} },
  Volumes: { '/data': {} },
  StopSignal: 'SIGTERM',
  Labels: { 'org.opencontainers.image.title': 'Kaptain', 'org.opencontainers.image.version': version },
  // Docker and Podman use it; Kubernetes has probes of its own.
  Healthcheck: {
    Test: ['CMD', `${HOME}/node/bin/node`, `${HOME}/app/service/lib/kaptain.js`, 'health'],
    Interval: 30_000_000_000,
    Timeout: 5_000_000_000,
  },
});

/** An OCI image as one archive, as `docker load` and `podman load` take it: two layers, libraries and program. */
export function imageBytes(
  version: string,
  cpu: keyof typeof architectures,
  entries: Iterable<Entry>,
  seconds: number,
): Buffer {
  const blobs = new Blobs();
  const inPlace = [...entries].map((entry) => ({ ...entry, path: `opt/${entry.path}` }));
  const tars = [systemEntries(inPlace), inPlace].map((layer) => tarBytes(layer, seconds));
  const layers = tars.map((tar) => blobs.add('layer.v1.tar+gzip', gzipSync(tar)));
  const created = new Date(seconds * 1000).toISOString();
  const config = blobs.addJson('config.v1', {
    architecture: architectures[cpu],
    os: 'linux',
    created,
    config: settings(version),
    rootfs: {
      type: 'layers',
      diff_ids: tars.map((tar) => `sha256:${createHash('sha256').update(tar).digest('hex')}`),
    },
    history: [
      { created, comment: 'shared libraries' },
      { created, comment: `Kaptain ${version}` },
    ],
  });
  const manifest = blobs.addJson('manifest.v1', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config,
    layers,
  });
  const names = {
    'io.containerd.image.name': `docker.io/library/kaptain:${version}`,
    'org.opencontainers.image.ref.name': version,
  };
  const index = { schemaVersion: 2, manifests: [{ ...manifest, annotations: names }] };
  const layout = [
    textEntry('oci-layout', '{"imageLayoutVersion":"1.0.0"}'),
    textEntry('index.json', JSON.stringify(index)),
  ];
  return tarBytes([...blobs.entries, ...layout], seconds);
}
