import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sizedTests } from './sized-tests.mjs';

it('finds the tests that differ in size, also when a contract or a fixture of theirs does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-sized-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = {
    'tools/test-size.ts': 'export const isFullTest = true;',
    'packages/a/src/direct.test.ts': `import { isFullTest } from '../../../tools/test-size.ts';`,
    'packages/a/src/a.contract.ts': `import {\n  isFullTest,\n} from '../../../tools/test-size.ts';`,
    'packages/a/src/through.test.ts': `export * from './a.contract.ts';`,
    'packages/a/src/late.test.tsx': `await import('./through.test.ts');`,
    'packages/a/src/other.test.ts': `import { x } from './x.ts';`,
    'packages/a/node_modules/b/c.test.ts': `import '../../src/direct.test.ts';`,
    'apps/a.ts': '',
    'examples/a.ts': '',
    'e2e/story.spec.ts': `import { isFullTest } from '../tools/test-size.ts';`,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  expect(sizedTests(folder)).toEqual([
    'e2e/story.spec.ts',
    'packages/a/src/direct.test.ts',
    'packages/a/src/late.test.tsx',
    'packages/a/src/through.test.ts',
  ]);
});

it('finds the outages and the random ones of this repository, and leaves out most of the others', () => {
  const found = sizedTests();
  expect(found).toContain('apps/service/src/outage.live.test.ts');
  expect(found).toContain('packages/store/src/backends/mongodb/mongodb.live.test.ts');
  expect(found).toContain('e2e/accessibility.spec.ts');
  expect(found).not.toContain('tools/setup/sized-tests.test.ts');
});
