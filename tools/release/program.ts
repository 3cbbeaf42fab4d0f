import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, entriesBelow, textEntry } from './archives/entry.ts';
import type { Target } from './targets.ts';

const files = join(import.meta.dirname, 'files');

/** Only what runs: examples and the native client libraries of Oracle are not used. */
const left: Record<string, RegExp> = {
  oracledb: /^[^/]+\/(?!index\.js|package\.json|lib\/|LICENSE|NOTICE|THIRD_PARTY)/,
  '@node-rs/argon2': /\.d\.ts$/,
};

function* packageEntries(folder: string, name: string, prefix: string): Generator<Entry> {
  const unused = left[name];
  for (const entry of entriesBelow(join(folder, ...name.split('/')), name.split('/').at(-1) ?? '')) {
    if (unused?.test(entry.path)) continue;
    const path = [...name.split('/').slice(0, -1), entry.path].join('/');
    yield { ...entry, path: `${prefix}/app/node_modules/${path}` };
  }
}

interface ProgramParts {
  /** The service and the console, the same on every platform. */
  app: string;
  /** Where the packages that are copied are installed. */
  modules: string;
  copied: readonly string[];
  /** Where Node and the natives of the platform are installed. */
  platform: string;
  /** The program that Windows runs as a service; only there. */
  windowsService: Buffer | undefined;
  /** Beside the program, for its reader. */
  texts: Record<string, string>;
}

/** The files of an installation below one folder. */
export function* programEntries(
  { os, node, natives }: Target,
  { app, modules, copied, platform, windowsService, texts }: ProgramParts,
  folder: string,
): Generator<Entry> {
  const onWindows = os === 'win32';
  yield* entriesBelow(app, `${folder}/app`);
  for (const name of copied) yield* packageEntries(modules, name, folder);
  for (const name of natives) yield* packageEntries(platform, name, folder);
  const binary = onWindows ? 'node.exe' : 'node';
  yield {
    path: `${folder}/node/bin/${binary}`,
    mode: 0o755,
    content: readFileSync(join(platform, node, 'bin', binary)),
  };
  const command = onWindows ? 'kaptain.cmd' : 'kaptain';
  yield textEntry(
    `${folder}/${command}`,
    readFileSync(join(files, onWindows ? 'kaptain.cmd' : 'kaptain.sh'), 'utf8'),
    0o755,
  );
  if (!onWindows)
    yield textEntry(`${folder}/kaptain.service`, readFileSync(join(files, 'kaptain.service'), 'utf8'));
  if (windowsService) yield { path: `${folder}/kaptain-service.exe`, mode: 0o755, content: windowsService };
  for (const [name, text] of Object.entries(texts)) yield textEntry(`${folder}/${name}`, text);
}
