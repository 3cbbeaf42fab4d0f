import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { version as versionOfService } from '../apps/service/src/base/version.ts';
import { root } from './setup/project.mjs';

const json = (file: string) =>
  JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, unknown> & {
    dependencies?: Record<string, string>;
  };
const { version } = json('package.json');

test('the package.json of the repository alone states the version, and the rest reads it', () => {
  const members = globSync('{apps,packages}/*/package.json', { cwd: root });
  expect(members.length).toBeGreaterThanOrEqual(7);
  for (const file of members) {
    const { version: own, dependencies = {} } = json(file);
    expect([file, own]).toEqual([file, undefined]);
    const ours = Object.entries(dependencies).filter(([name]) => name.startsWith('@kaptain/'));
    for (const [name, wanted] of ours) expect([file, name, wanted]).toEqual([file, name, '*']);
  }
  expect(versionOfService).toBe(version);
  expect(json('docs/reference/openapi.json')['info']).toMatchObject({ version });
});
