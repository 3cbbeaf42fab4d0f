import { posix } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { knownFieldTypes } from './known-field-types.ts';

/** A file that matches `from` breaks the rule when it imports a path that matches `never`. */
type Rule = { rule: string; from: RegExp; never: RegExp };

/** Packages that only the files of one folder may import. */
const homes: [packages: RegExp, home: RegExp][] = [
  [/^node:sqlite$/, /^packages\/store\/src\/backends\/embedded/],
  [/^(pg|pg-copy-streams)$/, /^packages\/(store\/src\/backends|data-sources\/src\/dialects)\/postgres/],
  [/^mongodb$/, /^packages\/store\/src\/backends\/mongodb/],
  [/^(mysql2|mssql|tedious|oracledb|snowflake-sdk)(\/|$)/, /^packages\/data-sources\/src\/dialects\//],
  [/^enigma\.js(\/|$)/, /^packages\/platform-connection\//],
  [/^(antd|@ant-design\/[^/]+|react|react-dom|react-router)(\/|$)/, /^apps\/console\//],
  [/^@nebula\.js\/[^/]+(\/|$)/, /^apps\/extension\//],
  [/^(fastify|@fastify\/[^/]+)(\/|$)/, /^apps\/service\//],
];

/** The folders of the service, lowest first. */
export const rooms = ['base', 'http', 'identity', 'kapsules', 'platform', 'operations'];

/** Files of a folder that the service runs: its tests may import any room. */
const inService = (folder: string) =>
  new RegExp(`^apps/service/src/${folder}(?!.*(\\.(test|contract)\\.ts$|/testing/))`);

const rules: Rule[] = [
  { rule: '1 imports go down only', from: /^packages\//, never: /^apps\// },
  { rule: '1 imports go down only', from: /^apps\/service\//, never: /^apps\/(console|extension)\// },
  { rule: '1 imports go down only', from: /^apps\/console\//, never: /^apps\/extension\// },
  {
    rule: '1 imports go down only',
    from: /^(apps|packages)\/(?!.*\.(test|contract)\.tsx?$)/,
    never: /^(tools|e2e|bench)\//,
  },
  {
    rule: '2 the console imports only the contract and qvd',
    from: /^apps\/console\//,
    never: /^(packages\/(?!(contract|qvd)\/)|apps\/service\/)/,
  },
  {
    rule: '2 the extension imports only the contract, and stardust of the platform',
    from: /^apps\/extension\//,
    never: /^(packages\/(?!contract\/)|apps\/(?!extension\/))/,
  },
  {
    rule: '2 the extension imports only the contract, and stardust of the platform',
    from: /^apps\/extension\/src\/(?!.*\.test\.ts$)/,
    never: /^(node:|npm:(?!@nebula\.js\/stardust$))/,
  },
  {
    rule: '3 the contract imports no package',
    from: /^packages\/contract\//,
    never: /^packages\/(?!contract\/)/,
  },
  {
    rule: '3 the contract imports no package',
    from: /^packages\/contract\/src\/(?!.*\.test\.ts$)/,
    never: /^npm:(?!zod$)/,
  },
  { rule: '3 qvd imports no package', from: /^packages\/qvd\//, never: /^packages\/(?!qvd\/)/ },
  { rule: '3 qvd imports no package', from: /^packages\/qvd\/src\/(?!.*\.test\.ts$)/, never: /^npm:/ },
  ...['client', 'store', 'data-sources', 'platform-connection'].map((name) => ({
    rule: '3 packages import the contract at most',
    from: new RegExp(`^packages/${name}/`),
    never: new RegExp(`^packages/(?!(contract|${name})/)`),
  })),
  {
    rule: '4 what two features need moves down',
    from: /^apps\/console\/src\/shared\//,
    never: /^apps\/console\/src\/(api|app)\//,
  },
  {
    rule: '4 what two features need moves down',
    from: /^apps\/console\/src\/api\//,
    never: /^apps\/console\/src\/app\//,
  },
  ...rooms.map((room, index) => ({
    rule: '4 rooms import only rooms named before them',
    from: inService(`${room}/`),
    never: new RegExp(`^apps/service/src/(?!(${rooms.slice(0, index + 1).join('|')})/)`),
  })),
  {
    rule: '5 one registry',
    from: /^apps\/console\/src\/(?!features\/|app\/(screens|login)\.ts$)/,
    never: /^apps\/console\/src\/features\//,
  },
  {
    rule: '5 one registry',
    from: inService('(?!app\\.ts$|testing/)'),
    never: /^apps\/service\/src\/.*\.routes\.ts$/,
  },
];

interface Read {
  imports: string[];
  usesAny: boolean;
  /** The lines that know types of fields by their names. */
  fieldTypes: number[];
}

/** The parsed files, by path and source: both the rules and the search for cycles need every file. */
const known = new Map<string, Read>();

/** All imports of a file, type imports included, and whether it uses the type `any` or knows types of fields. */
function read(file: string, source: string): Read {
  const name = `${file}\n${source}`;
  const found = known.get(name) ?? readOnce(file, source);
  known.set(name, found);
  return found;
}

function readOnce(file: string, source: string): Read {
  const parsed = parseSync(file, source);
  if (parsed.errors[0]) throw new Error(`${file}: ${parsed.errors[0].message}`);
  const { staticImports, staticExports, dynamicImports } = parsed.module;
  const imports = staticImports.map(({ moduleRequest }) => moduleRequest.value);
  for (const { entries } of staticExports)
    imports.push(...new Set(entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])));
  const take = (start: number, end: number) => {
    const [, literal] = /^(?:'([^']*)'|"([^"]*)")$/.exec(source.slice(start, end))?.filter(Boolean) ?? [];
    imports.push(literal ?? `computed ${source.slice(start, end)}`);
  };
  for (const { moduleRequest } of dynamicImports) take(moduleRequest.start, moduleRequest.end);
  let usesAny = false;
  // Walking the tree takes ten times as long as parsing, and only these words outside of comments can make it necessary.
  let code = source;
  for (const { start, end } of parsed.comments.toReversed()) code = code.slice(0, start) + code.slice(end);
  if (/\bany\b/.test(code) || (code.match(/\bimport\s*\(/g) ?? []).length > dynamicImports.length)
    new Visitor({
      TSImportType: (node) => take(node.source.start, node.source.end),
      TSAnyKeyword: () => {
        usesAny = true;
      },
    }).visit(parsed.program);
  return { imports, usesAny, fieldTypes: knownFieldTypes(file, source, parsed) };
}

/** Resolves an import: a path in this repository, `node:…` or `npm:…`. */
function target(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  const own = /^@kaptain\/([^/]+)/.exec(specifier)?.[1];
  if (own) return `${['console', 'extension', 'service'].includes(own) ? 'apps' : 'packages'}/${own}/`;
  return specifier.startsWith('node:') ? specifier : `npm:${specifier}`;
}

const member = (path: string) => /^(?:apps|packages)\/[^/]+/.exec(path)?.[0];
const feature = (path: string) => /^apps\/console\/src\/features\/[^/]+/.exec(path)?.[0];

/** Cycles of relative imports, type imports included: each as the list of its files. */
export function importCycles(files: readonly { file: string; source: string }[]): string[][] {
  const imports = new Map(
    files.map(({ file, source }) => [
      file,
      read(file, source)
        .imports.filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => target(file, specifier)),
    ]),
  );
  const cycles: string[][] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start !== -1) cycles.push(path.slice(start));
    if (start !== -1 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  return cycles;
}

/** The rules of ARCHITECTURE.md that a file breaks. */
export function violations(file: string, source: string): string[] {
  const { imports, usesAny, fieldTypes } = read(file, source);
  const found = fieldTypes.map((line) => `7 types of fields are known only in their files: line ${line}`);
  if (usesAny) found.push('no any');
  const isTest = /\.(test|contract)\.tsx?$/.test(file);
  if (source.trimEnd().split('\n').length > 300) found.push('300 lines at most');
  for (const specifier of imports) {
    const to = target(file, specifier);
    const report = (rule: string) => found.push(`${rule}: ${specifier}`);
    for (const { rule, from, never } of rules) if (from.test(file) && never.test(to)) report(rule);
    if (specifier.startsWith('computed ')) report('no computed imports');
    // Tests may import tools, e.g. the platform simulator; rule 1 forbids it to all other files.
    const isTool = isTest && to.startsWith('tools/');
    // The repository's package.json states the version.
    const isVersion = to === 'package.json';
    if (specifier.startsWith('.') && member(file) && member(to) !== member(file) && !isTool && !isVersion)
      report('packages only by their entry point');
    if (feature(file) && feature(to) && feature(file) !== feature(to))
      report('4 features never import features');
    for (const [packages, home] of homes) {
      if (member(file) && packages.test(to.replace(/^npm:/, '')) && !home.test(file))
        report('6 drivers only in their folder');
    }
  }
  return found;
}
