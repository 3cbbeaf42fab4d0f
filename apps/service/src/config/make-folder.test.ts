import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { makeFolder } from './make-folder.ts';

it('makes a folder with all that leads to it, once', () => {
  using folder = temporaryFolder();
  const deep = join(folder.path, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);
  expect(existsSync(deep)).toBe(true);
});

it('says what to do where a file is in the way', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  for (const path of [file, join(file, 'below')]) expect(() => makeFolder(path)).toThrow(/KAPTAIN_DATA_DIR/);
});
