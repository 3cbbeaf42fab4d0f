import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../setup/project.mjs';
import { entriesBelow, textEntry } from './archives/entry.ts';
import { sharedLibraries } from './shared-libraries.ts';
import { targets } from './targets.ts';

/** Images are built on Linux alone. */
it.runIf(process.platform === 'linux')(
  'finds what each native package names as needed, wherever it is in the program',
  () => {
    const target = targets.find(({ os, cpu }) => os === 'linux' && cpu === process.arch);
    const [native = ''] = target?.natives ?? [];
    const files = [...entriesBelow(join(root, 'node_modules', native), 'kaptain/app/deep/inside')];
    const found = sharedLibraries([textEntry('kaptain/kaptain', '#!/bin/sh\n'), ...files]).map((path) =>
      basename(path),
    );
    const binary = readFileSync(
      join(root, 'node_modules', native, `argon2.${native.split('argon2-')[1]}.node`),
    );
    // The names are texts of the binary itself.
    const named = [...binary.toString('latin1').matchAll(/\b(?:lib|ld-)[\w+-]+\.so\.\d+/g)].map(
      ([name]) => name,
    );
    expect(named).toContain('libc.so.6');
    expect(found).toEqual(expect.arrayContaining([...new Set(named), 'libnss_dns.so.2']));
    expect(sharedLibraries([textEntry('kaptain/kaptain', '#!/bin/sh\n')])).toEqual([]);
  },
);
