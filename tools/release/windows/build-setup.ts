import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runQuietly } from '../../setup/children.mjs';
import { SetupError } from '../../setup/project.mjs';
import type { Entry } from '../archives/entry.ts';

const script = join(import.meta.dirname, 'setup.nsi');

/** Writes the program below a folder; returns the lines that pack it, in an order that does not depend on the disk. */
function unpack(program: Iterable<Entry>, folder: string): string[] {
  const lines: string[] = [];
  let current = '';
  for (const { path, content } of [...program].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    // Paths begin with the folder of the archive, which the setup lets people choose.
    const [, ...inside] = dirname(path).split('/');
    const target = ['$INSTDIR', ...inside].join('\\');
    if (target !== current) lines.push(`SetOutPath "${target}"`);
    current = target;
    lines.push(`File "${file}"`);
  }
  return lines;
}

/** Builds the setup with NSIS. */
export async function buildSetup(
  version: string,
  program: Iterable<Entry>,
  output: string,
  folder: string,
  seconds: number,
): Promise<void> {
  const files = join(folder, 'files.nsh');
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(files, unpack(program, join(folder, 'program')).join('\n'));
    const given = { VERSION: version, OUTPUT: output, FILES: files };
    const defines = Object.entries(given).map(([name, value]) => `-D${name}=${value}`);
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(seconds) };
    const { code, output: said } = await runQuietly('makensis', ['-V2', '-WX', ...defines, script], { env });
    if (code !== 0) throw new SetupError(`${relative('.', output)} could not be built by NSIS:\n\n${said}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
