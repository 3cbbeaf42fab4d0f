import { expect, it } from 'vitest';
import { type Entry, textEntry } from '../release/archives/entry.ts';
import { root } from '../setup/project.mjs';
import { complete, missingIn } from './declarations.ts';
import { tryPackage } from './try-package.ts';

const types = [
  textEntry('client/src/index.d.ts', "export { a } from './a.js';\nexport type { Z } from 'zod';\n"),
  textEntry('client/src/a.d.ts', "export declare const a: import('../../contract/src/b.js').B;\n"),
  textEntry('contract/src/b.d.ts', 'export type B = 1;\n'),
];
const modules = ['client/src/index.ts', 'client/src/a.ts'];
const without = (...paths: string[]): Entry[] => types.filter(({ path }) => !paths.includes(path));

it('names the declarations that a module of the code or another declaration needs', () => {
  expect(missingIn(types, modules)).toEqual([]);
  expect(missingIn(without('contract/src/b.d.ts'), modules)).toEqual(['contract/src/b.d.ts']);
  expect(missingIn(without('client/src/a.d.ts'), [])).toEqual(['client/src/a.d.ts']);
  expect(missingIn([], modules)).toEqual(['client/src/a.d.ts', 'client/src/index.d.ts']);
});

it('asks the compiler once more when some are missing, and fails when they are missing again', async () => {
  const answers = [without('client/src/a.d.ts'), types, types.slice(0, 1), types.slice(0, 1)];
  const declarations = async () => answers.shift() ?? [];
  expect(await complete(declarations, modules)).toEqual(types);
  await expect(complete(declarations, modules)).rejects.toThrow('client/src/a.d.ts');
  expect(answers).toEqual([]);
});

it('refuses a package with which a strict program does not compile', async () => {
  const manifest = { name: '@kaptain/client', type: 'module', types: './index.d.ts' };
  const broken = [
    textEntry('package/package.json', JSON.stringify(manifest)),
    textEntry('package/index.d.ts', "export * from './missing.js';\n"),
  ];
  await expect(tryPackage(root, broken)).rejects.toThrow(/does not compile[^]*kaptainClient/);
});
