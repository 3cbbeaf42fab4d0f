import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../setup/project.mjs';
import { type Rule, rules } from './document-rules.ts';

const files = globSync(['*.md', '{apps,bench,docs,examples,packages,tools}/**/*.md'], {
  cwd: root,
  exclude: (path) => /(^|[\\/])(node_modules|\.cache|dist)$/.test(path),
}).map((file) => file.replaceAll('\\', '/'));
const texts = new Map(
  files.map((file) => [file, readFileSync(join(root, file), 'utf8').replaceAll('\r\n', '\n')]),
);
/** Written by a program, or lists of sources with their checksums. */
const isGenerated = (file: string) =>
  file.startsWith('docs/reference/') || file === 'packages/qvd/samples/SOURCES.md';
const handWritten = files.filter((file) => !isGenerated(file));
const applies = ({ except = [], only }: Rule, file: string) =>
  !except.includes(file) && (!only || only.test(file));

describe('documents for people', () => {
  it.each(rules)('$name', (rule) => {
    const broken = handWritten
      .filter((file) => applies(rule, file))
      .flatMap((file) => rule.broken(texts.get(file) ?? '').map((what) => `${file}: ${what}`));
    expect(broken).toEqual([]);
    expect(rule.broken(rule.example)).toHaveLength(1);
  });

  it('have at most 27,000 words in all, without measurements and generated pages', () => {
    const counted = handWritten.filter((file) => file !== 'bench/RESULTS.md');
    const words = counted.map((file) => (texts.get(file) ?? '').split(/\s+/).filter(Boolean).length);
    const total = words.reduce((sum, count) => sum + count, 0);
    console.log(`${counted.length} documents, ${total} words`);
    expect(total).toBeLessThanOrEqual(27_000);
  });
});
