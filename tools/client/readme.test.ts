import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { limits } from '../../packages/contract/src/rules/limits.ts';
import { runQuietly } from '../setup/children.mjs';
import { root } from '../setup/project.mjs';

const readme = readFileSync(join(root, 'packages/client/README.md'), 'utf8');
/** Sentences may go on in the next line. */
const prose = readme.replace(/\s+/g, ' ');
const snippets = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code);

/** One program of all snippets: each continues the first one, in a scope of its own. */
function programOf([first = '', ...others]: readonly string[]): string {
  const isImport = (line: string) => line.startsWith('import ');
  const bodies = others.map(
    (code) =>
      `{\n${code
        .split('\n')
        .filter((line) => !isImport(line))
        .join('\n')}}`,
  );
  const imports = new Set(others.flatMap((code) => code.split('\n').filter(isImport)));
  const known = first.split('\n').filter(isImport).join('\n');
  const names = (line: string) => /\{ (.*) \}/.exec(line)?.[1]?.split(', ') ?? [];
  const more = [...imports].flatMap((line) => {
    const left = names(line).filter((name) => !names(known).includes(name));
    return left.length === 0 ? [] : [line.replace(/\{ .* \}/, `{ ${left.join(', ')} }`)];
  });
  return [...more, first, ...bodies].join('\n');
}

async function compiled(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-readme-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const compilerOptions = {
    typeRoots: [join(root, 'node_modules/@types')],
    lib: ['es2024', 'esnext.disposable', 'esnext.iterator', 'dom', 'dom.iterable', 'dom.asynciterable'],
    paths: { '@kaptain/client': [join(root, 'packages/client/src/index.ts')] },
  };
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, files: ['program.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'program.ts'), program);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  return (await runQuietly(process.execPath, [tsc, '-p', folder], { cwd: folder })).output;
}

it('every snippet of the README compiles in a strict program', async () => {
  expect(snippets.length).toBeGreaterThan(6);
  expect(await compiled(programOf(snippets))).toBe('');
  const broken = [...snippets, 'await kaptain.dataApi.read({ params: { id: 1 } });\n'];
  expect(await compiled(programOf(broken))).toContain('error TS2322');
});

it('the README names the limits of a save', () => {
  const counted = (count: number) => count.toLocaleString('en-US');
  expect(prose).toContain(`at most ${counted(limits.granulesPerUpsert)} granules`);
  expect(prose).toContain(`at most ${limits.jsonBytes / 1024 ** 2} MiB`);
  expect(prose).toContain(`${limits.granuleBytes / 1024} KiB of data`);
});
