import { posix } from 'node:path';
import { parseSync } from 'vite';

interface SourceFile {
  file: string;
  source: string;
}

/** Of a package: its folder, and its files by the paths that others import. */
export interface PackageEntries {
  name: string;
  folder: string;
  exports: Record<string, string>;
}

type Module = ReturnType<typeof parseSync>['module'];

/** All names of a file. */
const ALL = '*';

/** Names by file that another file imports. */
type Uses = Map<string, Set<string>>;

const nameOf = (name: { kind: string; name: string | null }): string =>
  name.kind === 'Default' ? 'default' : (name.name ?? ALL);

function add(uses: Uses, file: string | undefined, name: string): boolean {
  if (file === undefined) return false;
  const names = uses.get(file) ?? new Set();
  uses.set(file, names);
  const isNew = !names.has(name);
  names.add(name);
  return isNew;
}

/** The file that an import means, or undefined when it is not in this repository. */
function fileOf(from: string, specifier: string, packages: readonly PackageEntries[]): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier.replace(/\?.*$/, ''));
  const owner = packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
  const wanted = `.${specifier.slice(owner?.name.length)}`;
  for (const [path, target] of Object.entries(owner?.exports ?? {})) {
    const [start = '', end] = path.split('*');
    const isMeant = end === undefined ? path === wanted : wanted.startsWith(start) && wanted.endsWith(end);
    if (owner && isMeant) return posix.join(owner.folder, target.replace('*', wanted.slice(start.length)));
  }
  return undefined;
}

/** Files whose path stands in a text: those that are imported on demand or run as a thread. */
const namedFiles = (source: string) =>
  [...source.matchAll(/(?:import|new URL)\(\s*'([^']+)'/g)].map(([, path]) => path ?? '');

/** Exports that no file imports, as `file: name`; `forOthers` matches files that are imported from outside of the repository. */
export function unusedExports(
  files: readonly SourceFile[],
  packages: readonly PackageEntries[],
  forOthers: RegExp,
): string[] {
  const uses: Uses = new Map();
  const modules = files.map(({ file, source }) => {
    const { module } = parseSync(file, source);
    if (forOthers.test(file)) add(uses, file, ALL);
    const find = (specifier: string) => fileOf(file, specifier, packages);
    for (const { moduleRequest, entries } of module.staticImports)
      for (const { importName } of entries) add(uses, find(moduleRequest.value), nameOf(importName));
    for (const path of namedFiles(source)) add(uses, find(path), ALL);
    return { file, module, find };
  });
  const isUsed = (file: string, name: string) =>
    uses.get(file)?.has(name) === true || uses.get(file)?.has(ALL) === true;
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const { file, module, find } of modules)
      for (const { name, from, original } of passedOn(module)) {
        const taken = name === ALL ? [...(uses.get(file) ?? [])] : isUsed(file, name) ? [original] : [];
        for (const each of taken) if (add(uses, find(from), each)) isNew = true;
      }
  }
  return modules.flatMap(({ file, module }) =>
    exportedNames(module)
      .filter((name) => !isUsed(file, name))
      .map((name) => `${file}: ${name}`),
  );
}

const entriesOf = (module: Module) => module.staticExports.flatMap(({ entries }) => entries);

/** The names that a file exports from another one. */
const passedOn = (module: Module) =>
  entriesOf(module).flatMap(({ moduleRequest, exportName, importName }) =>
    moduleRequest
      ? [{ name: nameOf(exportName), from: moduleRequest.value, original: nameOf(importName) }]
      : [],
  );

const exportedNames = (module: Module) =>
  [...new Set(entriesOf(module).map(({ exportName }) => nameOf(exportName)))].filter((name) => name !== ALL);
