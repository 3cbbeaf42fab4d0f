import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { api, errorCodes } from '@kaptain/contract';
import { accessTable } from '@kaptain/contract/access-table';
import { openApiDocument } from '@kaptain/contract/openapi';
import { accessMatrixDocument } from '../apps/service/src/testing/access-matrix/document.ts';

/** Writes the documents that are derived from the contract; with --check, only reports which are stale. */
const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const generated = 'Generated from the contract by `npm run generate`; do not edit.';

const errorRows = Object.entries(errorCodes).map(
  ([code, [status, meaning]]) => `| ${code} | ${status} | ${meaning} |`,
);

const documents: Record<string, string> = {
  'docs/openapi.json': `${JSON.stringify(openApiDocument(api, { version }), null, 2)}\n`,
  'docs/access.md': `# Who may call what\n\n${generated}\n\n${accessTable(api)}`,
  'docs/access-matrix.md': `# Who gets which answer\n\n${generated}\n\n${accessMatrixDocument()}`,
  'docs/errors.md': [
    '# Error codes',
    '',
    generated,
    '',
    'Every failure has one shape: `{"statusCode", "code", "message", "requestId"}`. The message is for people and may',
    'change; the code is for programs and never changes.',
    '',
    '| code | status | meaning |',
    '|---|---|---|',
    ...errorRows,
    '',
  ].join('\n'),
};

const read = (path: string): string => {
  try {
    return readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');
  } catch {
    return '';
  }
};

const stale = Object.keys(documents).filter((path) => read(path) !== documents[path]);
if (!process.argv.includes('--check'))
  for (const path of stale) writeFileSync(join(root, path), documents[path] ?? '');
else if (stale.length > 0) {
  console.error(`Stale: ${stale.join(', ')}. Run: npm run generate`);
  process.exitCode = 1;
}
