import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from './project.mjs';

const SIZES = 'tools/test-size.ts';
const folders = ['apps', 'packages', 'tools', 'e2e', 'examples'];
const isBuilt = /^(node_modules|dist)$/;
const isTest = /\.(test|spec)\.tsx?$/;
const relativeImport = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g;

/**
 * @param {string} folder
 * @param {string} path from that folder on
 * @returns {string[]}
 */
function sourcesIn(folder, path) {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    const inside = posix.join(path, entry.name);
    if (entry.isDirectory()) return isBuilt.test(entry.name) ? [] : sourcesIn(folder, inside);
    return /\.tsx?$/.test(entry.name) ? [inside] : [];
  });
}

/**
 * The test files that import `tools/test-size.ts`, also through other files: only these differ at full size.
 * @param {string} [folder]
 * @returns {string[]} from the folder on, in order
 */
export function sizedTests(folder = root) {
  const files = folders.flatMap((name) => sourcesIn(folder, name));
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const file of files) {
    for (const [, path = ''] of readFileSync(join(folder, file), 'utf8').matchAll(relativeImport)) {
      const imported = posix.join(posix.dirname(file), path);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  const reached = new Set([SIZES]);
  // The loop also visits entries that are added to the set meanwhile.
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return [...reached].filter((file) => isTest.test(file)).toSorted();
}
