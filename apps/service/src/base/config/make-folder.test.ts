import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { makeFolder } from './make-folder.ts';

it('creates a folder and its parents, once', () => {
  using folder = temporaryFolder();
  const deep = join(folder.path, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);
  expect(existsSync(deep)).toBe(true);
});

it('says what to do when a file has the name', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  for (const path of [file, join(file, 'below')]) expect(() => makeFolder(path)).toThrow(/KAPTAIN_DATA_DIR/);
});
