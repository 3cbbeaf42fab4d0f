import { runInNewContext } from 'node:vm';
import { gzipSync, inflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../setup/project.mjs';
import { bundleExtension, packExtension } from './bundle-extension.ts';

const MOST_BYTES = 250_000;

let code = '';
beforeAll(async () => {
  code = await bundleExtension(root);
});

/** Loads the module as an AMD loader does. */
function load(given: object) {
  let dependencies: string[] = [];
  let made: unknown;
  const define = Object.assign(
    (names: string[], factory: (...parts: object[]) => unknown) => {
      dependencies = names;
      made = factory(...names.map(() => given));
    },
    { amd: {} },
  );
  runInNewContext(code, { define });
  return { dependencies, made };
}

/** The files of a zip archive, read from its local headers. */
function unpack(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50; ) {
    const [packed, name, extra] = [
      zip.readUInt32LE(at + 18),
      zip.readUInt16LE(at + 26),
      zip.readUInt16LE(at + 28),
    ];
    const start = at + 30 + name + extra;
    const content = inflateRawSync(zip.subarray(start, start + packed)).toString();
    files.set(zip.subarray(at + 30, at + 30 + name).toString(), content);
    at = start + packed;
  }
  return files;
}

describe('the built extension', () => {
  it('is an AMD module that asks the platform for stardust alone, and returns a visualisation', () => {
    const { dependencies, made } = load({});
    expect(dependencies).toEqual(['@nebula.js/stardust']);
    const { component, ...rest } = (made as () => { component: unknown; qae: object; ext: object })();
    expect(typeof component).toBe('function');
    // As JSON, because objects of another context have other prototypes.
    expect(JSON.parse(JSON.stringify(rest))).toMatchObject({
      qae: { data: { targets: [{ path: '/qHyperCubeDef' }] } },
      ext: { definition: { component: 'accordion' } },
    });
  });

  it('is small, and needs neither eval nor style attributes', () => {
    expect(gzipSync(code).length).toBeLessThan(MOST_BYTES);
    expect(code).not.toMatch(/\beval\(|new Function|innerHTML|setAttribute\(["']style/);
  });

  it('is packed with a .qext of the same name', () => {
    const files = unpack(packExtension(code, '1.2.3', 0));
    expect([...files.keys()]).toEqual(['kaptain-comments.qext', 'kaptain-comments.js', 'LICENSE.txt']);
    expect(JSON.parse(files.get('kaptain-comments.qext') ?? '')).toMatchObject({
      type: 'visualization',
      supernova: true,
      version: '1.2.3',
    });
    expect(files.get('kaptain-comments.js')).toBe(code);
    expect(files.get('LICENSE.txt')).toContain('1.2.3');
  });
});
