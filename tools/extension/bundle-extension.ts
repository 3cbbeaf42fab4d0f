import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { zipBytes } from '../release/archives/zip.ts';

export const EXTENSION_NAME = 'kaptain-comments';

/** The description of the extension for the platform; `supernova` tells it to load the module with its own stardust. */
const qext = (version: string) => ({
  name: 'Kaptain comments',
  version,
  description: 'Comments and values beside the rows of a table, stored by the Kaptain service.',
  author: 'Kaptain',
  icon: 'comment',
  type: 'visualization',
  supernova: true,
});

/** The code has no package of others in it: the platform provides stardust. */
const license = (version: string) =>
  `Kaptain comments ${version}

This extension is a part of Kaptain, and the terms under which you use Kaptain apply to it.
It contains no packages of others.
`;

/** The extension as one UMD module, which the platform loads by AMD; stardust is a dependency that the platform provides. */
export async function bundleExtension(root: string): Promise<string> {
  const bundle = await rolldown({
    cwd: root,
    input: join('apps', 'extension', 'src', 'main.ts'),
    platform: 'browser',
    external: ['@nebula.js/stardust'],
    transform: { target: 'es2022' },
  });
  const { output } = await bundle.generate({
    format: 'umd',
    name: 'kaptainComments',
    exports: 'default',
    globals: { '@nebula.js/stardust': 'stardust' },
    minify: true,
  });
  await bundle.close();
  const [chunk, ...more] = output;
  if (more.length > 0) throw new Error('The extension must be one file.');
  return chunk.code;
}

/** The zip file that the platform's console imports. */
export function packExtension(code: string, version: string, seconds: number): Buffer {
  const file = (path: string, text: string) => ({ path, mode: 0o644, content: Buffer.from(text) });
  return zipBytes(
    [
      file(`${EXTENSION_NAME}.qext`, `${JSON.stringify(qext(version), null, 2)}\n`),
      file(`${EXTENSION_NAME}.js`, code),
      file('LICENSE.txt', license(version)),
    ],
    seconds,
  );
}
