import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importCycles, rooms, violations } from './architecture.ts';
import { root } from './setup/project.mjs';
import { type PackageEntries, unusedExports } from './unused-exports.ts';

const files = globSync(['*.config.ts', '{apps,packages,tools,e2e,bench}/**/*.{ts,tsx,mjs}'], {
  cwd: root,
  exclude: (path) => /(^|[\\/])(node_modules|dist|\.cache)$/.test(path),
}).map((file) => ({
  file: file.replaceAll('\\', '/'),
  source: readFileSync(join(root, file), 'utf8'),
}));

describe('the rules of ARCHITECTURE.md', () => {
  test('hold in every source file', () => {
    const broken = files.flatMap(({ file, source }) =>
      violations(file, source).map((what) => `${file}: ${what}`),
    );
    expect(broken).toEqual([]);
  });

  test('know every folder of the service', () => {
    const folders = files.flatMap(({ file }) => /^apps\/service\/src\/([^/]+)\//.exec(file)?.[1] ?? []);
    expect([...new Set(folders)].sort()).toEqual([...rooms, 'testing'].sort());
  });

  test('has no import cycles, type imports included', () => {
    expect(importCycles(files)).toEqual([]);
    const cycle = [
      { file: 'a/one.ts', source: `import type { X } from './two.ts';` },
      { file: 'a/two.ts', source: `export * from './three.ts';` },
      { file: 'a/three.ts', source: `import { y } from './one.ts';` },
    ];
    expect(importCycles(cycle)).toEqual([['a/one.ts', 'a/two.ts', 'a/three.ts']]);
  });

  test('export only what another file imports', () => {
    const packages = globSync('{apps,packages}/*/package.json', { cwd: root }).map((path): PackageEntries => {
      const { name, exports } = JSON.parse(readFileSync(join(root, path), 'utf8')) as PackageEntries;
      return { name, exports, folder: posix.dirname(path.replaceAll('\\', '/')) };
    });
    // Programs of others, the platform and the test runner import these.
    const forOthers =
      /^(packages\/(client|qvd)\/src\/(index|node)\.ts|apps\/extension\/src\/main\.ts|tools\/setup\/error-count\.mjs|.*\.config\.ts)$/;
    expect(unusedExports(files, packages, forOthers)).toEqual([]);
    const some = [
      { file: 'packages/one/index.ts', source: `export { a, b } from './b.ts'; export * from './c.ts';` },
      { file: 'packages/one/b.ts', source: 'export const a = 1; export const b = 2; export type D = 3;' },
      { file: 'packages/one/c.ts', source: 'export const c = 1; export default c; export const e = 2;' },
      { file: 'apps/two.ts', source: `import { a, c } from '@kaptain/one'; import('./three.ts');` },
      { file: 'apps/three.ts', source: 'export const three = 3;' },
    ];
    const one = { name: '@kaptain/one', folder: 'packages/one', exports: { '.': './index.ts' } };
    expect(unusedExports(some, [one], /two\.ts$/)).toEqual([
      'packages/one/index.ts: b',
      'packages/one/b.ts: b',
      'packages/one/b.ts: D',
      'packages/one/c.ts: default',
      'packages/one/c.ts: e',
    ]);
  });

  test('files stay short: the median is at most 60 lines', () => {
    const lengths = files.map(({ source }) => source.trimEnd().split('\n').length).sort((a, b) => a - b);
    const median = lengths[Math.floor(lengths.length / 2)];
    console.log(`${files.length} source files, median ${median} lines, longest ${lengths.at(-1)}`);
    expect(median).toBeLessThanOrEqual(60);
  });

  const bad: [rule: string, file: string, source: string][] = [
    ['1 imports go down only', 'packages/store/src/a.ts', `import { x } from '@kaptain/service';`],
    [
      '1 imports go down only',
      'packages/store/src/a.ts',
      `import type { x } from '../../../apps/service/src/app.ts';`,
    ],
    ['1 imports go down only', 'apps/service/src/a.ts', `import { x } from '../../../tools/demo/names.ts';`],
    [
      '2 the console imports only the contract and qvd',
      'apps/console/src/a.tsx',
      `const x = import('@kaptain/store');`,
    ],
    [
      '2 the console imports only the contract and qvd',
      'apps/console/src/a.tsx',
      `export * from '../../../packages/store/src/index.ts';`,
    ],
    ['1 imports go down only', 'apps/service/src/a.ts', `import { x } from '@kaptain/extension';`],
    [
      '2 the extension imports only the contract',
      'apps/extension/src/a.ts',
      `import { x } from '@kaptain/qvd';`,
    ],
    ['2 the extension imports only the contract', 'apps/extension/src/a.ts', `import React from 'preact';`],
    ['6 drivers only in their folder', 'apps/console/src/a.ts', `import { x } from '@nebula.js/stardust';`],
    ['3 the contract imports no package', 'packages/contract/src/a.ts', `import { x } from '@kaptain/qvd';`],
    ['3 the contract imports no package', 'packages/contract/src/a.ts', `import x from 'lodash';`],
    ['3 qvd imports no package', 'packages/qvd/src/a.ts', `export { x } from '@kaptain/contract';`],
    ['3 packages import the contract at most', 'packages/store/src/a.ts', `import '@kaptain/data-sources';`],
    [
      '4 features never import features',
      'apps/console/src/features/users/a.ts',
      `import { x } from '../groups/b.ts';`,
    ],
    ...rooms
      .slice(1)
      .map((room, index): [rule: string, file: string, source: string] => [
        '4 rooms import only rooms named before them',
        `apps/service/src/${rooms[index]}/a.ts`,
        `import type { x } from '../${room}/b/c.ts';`,
      ]),
    [
      '4 rooms import only rooms named before them',
      'apps/service/src/operations/status/a.ts',
      `import { x } from '../../app.ts';`,
    ],
    [
      '4 what two features need moves down',
      'apps/console/src/shared/A.tsx',
      `import { x } from '../api/users.ts';`,
    ],
    [
      '5 one registry',
      'apps/console/src/app/Shell.tsx',
      `import { x } from '../features/users/UsersPage.tsx';`,
    ],
    [
      '5 one registry',
      'apps/service/src/identity/users/list-users.ts',
      `type X = import('./users.routes.ts').X;`,
    ],
    ['6 drivers only in their folder', 'packages/store/src/store.ts', `const x = await import('pg');`],
    [
      '6 drivers only in their folder',
      'packages/store/src/backends/mongodb.ts',
      `import { x } from 'node:sqlite';`,
    ],
    [
      '6 drivers only in their folder',
      'packages/contract/src/a.test.ts',
      `import { Button } from 'antd/es/button';`,
    ],
    ['6 drivers only in their folder', 'apps/console/src/a.ts', `import x from '@fastify/cors';`],
    [
      'packages only by their entry point',
      'apps/console/src/a.ts',
      `import { x } from '../../../packages/contract/src/limits.ts';`,
    ],
    ['no computed imports', 'apps/service/src/a.ts', `await import(name);`],
    ...[
      `if (type === 'date') show();`,
      `const isWide = 'thread' !== column.field?.type;`,
      `switch (rule.type) { case 'paragraph': case 'text': show(); }`,
      `const isText = ['text', 'date'].includes(fieldType);`,
      `const words: Record<FieldType, string> = all;`,
    ].map((source): [rule: string, file: string, source: string] => [
      '7 types of fields are known only in their files',
      'apps/console/src/a.ts',
      source,
    ]),
    ['no any', 'apps/service/src/a.ts', `export const x = (y: any[]) => y;`],
    ['300 lines at most', 'apps/service/src/a.ts', 'export {};\n'.repeat(301)],
  ];
  test.each(bad)('report: %s (%s)', (rule, file, source) => {
    expect(violations(file, source).some((what) => what.startsWith(rule))).toBe(true);
  });

  test('accept correct code', () => {
    const good = `// import x from 'pg'; any\nimport { x } from '@kaptain/contract';\nconst text = "from 'antd'"; const lazy = () => import('./b.ts');`;
    expect(violations('apps/service/src/identity/users/a.ts', good)).toEqual([]);
    expect(
      violations('apps/service/src/app.ts', `import { x } from './identity/users/users.routes.ts';`),
    ).toEqual([]);
    const lower = `import { x } from '../groups/b.ts';\nimport { y } from '../../http/server/serve-api.ts';`;
    expect(violations('apps/service/src/identity/users/a.ts', lower)).toEqual([]);
    const higher = `import { x } from '../../operations/cli/run.ts';`;
    expect(violations('apps/service/src/identity/users/a.test.ts', higher)).toEqual([]);
    expect(violations('packages/store/src/backends/postgres/pool.ts', `import pg from 'pg';`)).toEqual([]);
    const comparing = `const isDay = type === 'date';`;
    expect(violations('packages/contract/src/fields/date.ts', comparing)).toEqual([]);
    expect(violations('packages/data-sources/src/dialects/oracle.ts', comparing)).toEqual([]);
    const others = `const a = kind === 'date' || event.type === 'click'; switch (schema.type) { case 'number': show(); }`;
    expect(violations('apps/console/src/a.ts', `${others}\n// type === 'date'`)).toEqual([]);
  });
});
