import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { pepperIn } from './pepper.ts';

const root = mkdtempSync(join(tmpdir(), 'kaptain-pepper-'));
const folder = join(root, 'keys');
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => rmSync(root, { recursive: true }));

describe('the pepper', () => {
  it('is created on first use, not before, and stays the same', () => {
    const pepper = pepperIn(folder);
    expect(readdirSync(root)).toEqual([]);
    expect(pepper()).toHaveLength(32);
    expect(pepperIn(folder)()).toEqual(pepper());
    expect(readdirSync(folder)).toEqual(['api-keys.pepper']);
  });

  it('is refused when its file is damaged, never replaced', () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'api-keys.pepper'), 'half');
    expect(pepperIn(folder)).toThrow('is damaged: restore it from a backup');
    expect(readdirSync(folder)).toEqual(['api-keys.pepper']);
  });
});
