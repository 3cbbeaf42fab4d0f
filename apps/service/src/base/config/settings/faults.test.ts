import fs, { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsUpdate } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { openSettings } from '../settings.ts';
import type { FileSystem } from './durable-file.ts';
import { nothingSaved } from './generations.ts';
import { normalised } from './normalised.ts';

class Died extends Error {}

type Fault = 'EIO' | 'ENOSPC' | 'short write' | 'death';

/** The real file system with a fault at the n-th call: once, or at all later calls too, as after a crash. */
function faulty(fault: Fault, nth: number): { files: FileSystem; happened: () => boolean } {
  let count = 0;
  let isDead = false;
  let happened = false;
  const fail = (name: string, call: () => unknown): unknown => {
    if (isDead) throw new Died();
    if (name === 'closeSync' || name === 'readFileSync' || ++count !== nth) return call();
    happened = true;
    if (fault === 'death') {
      isDead = true;
      throw new Died();
    }
    throw Object.assign(new Error(fault), { code: fault === 'short write' ? 'ENOSPC' : fault });
  };
  const wrapped = (name: keyof FileSystem) =>
    ((...values: unknown[]) =>
      fail(name, () => (fs[name] as (...given: unknown[]) => unknown)(...values))) as never;
  const writeSync = ((fd: number, bytes: Buffer, offset: number) => {
    if (!isDead && (fault === 'short write' || fault === 'death') && count + 1 === nth)
      // Like a nearly full disk: it writes a part and returns its size.
      fs.writeSync(fd, bytes, offset, Math.floor((bytes.length - offset) / 2));
    return fail('writeSync', () => fs.writeSync(fd, bytes, offset));
  }) as never;
  const names = [
    'openSync',
    'fsyncSync',
    'closeSync',
    'readFileSync',
    'linkSync',
    'renameSync',
    'rmSync',
  ] as const;
  return {
    files: {
      ...(Object.fromEntries(names.map((name) => [name, wrapped(name)])) as unknown as FileSystem),
      writeSync,
    },
    happened: () => happened,
  };
}

const state = (userId: string) => {
  const settings = normalised(SettingsUpdate.parse({ settings: { userId } }));
  return { at: new Date().toISOString(), by: nothingSaved().by, changed: [], files: {}, settings };
};

/** Saves a second generation with a fault at the n-th call; returns what a new start finds. */
function saveWith(fault: Fault, nth: number) {
  using folder = temporaryFolder();
  openSettings({ dataDir: folder.path }).generations.add(state('old'));
  const oldFile = join(folder.path, 'settings', '000001.json');
  const oldBytes = readFileSync(oldFile);
  const { files, happened } = faulty(fault, nth);
  let isStored = true;
  try {
    openSettings({ dataDir: folder.path, files }).generations.add(state('new'));
  } catch {
    isStored = false;
  }
  const after = openSettings({ dataDir: folder.path });
  return {
    happened: happened(),
    isStored,
    found: after.whole().settings.userId,
    warnings: after.warnings,
    isOldUntouched: readFileSync(oldFile).equals(oldBytes),
    left: readdirSync(join(folder.path, 'settings')).filter((name) => name.endsWith('.draft')).length,
  };
}

describe.each<Fault>(['EIO', 'ENOSPC', 'short write', 'death'])('%s at any operation of a save', (fault) => {
  it('leaves the old settings or the new ones, each to the byte', () => {
    const outcomes = [];
    for (let nth = 1; ; nth++) {
      const { happened, ...outcome } = saveWith(fault, nth);
      if (!happened) break;
      outcomes.push(outcome);
      expect(['old', 'new']).toContain(outcome.found);
      expect(outcome).toMatchObject({ warnings: [], isOldUntouched: true });
      if (fault === 'death') continue;
      // A save that failed leaves the old settings, a save that succeeded the new ones.
      expect(outcome.found).toBe(outcome.isStored ? 'new' : 'old');
    }
    // A fault at each of opening, writing, flushing and renaming, and at the same for the folder.
    expect(outcomes.length).toBeGreaterThanOrEqual(6);
    expect(outcomes.some(({ isStored }) => !isStored)).toBe(true);
  });
});
