import { copyFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const service = join('apps', 'service', 'src');

/** Read by the service at run time, beside the file that names them. */
const readAtRunTime = [
  join(service, 'http', 'docs', 'docs.css'),
  join(service, 'http', 'docs', 'strict-policy.js'),
  join(service, 'identity', 'extension', 'window', 'sign-in.css'),
  join(service, 'identity', 'extension', 'window', 'choose.js'),
  join(service, 'identity', 'extension', 'window', 'cloud-return.js'),
  join(service, 'identity', 'extension', 'window', 'cloud-sign-in.js'),
  join(service, 'identity', 'extension', 'window', 'passkey.js'),
  join(service, 'identity', 'extension', 'window', 'sign-in.js'),
  join(service, 'identity', 'oidc', 'handover.js'),
  join(service, 'identity', 'passwords', 'common-passwords.txt'),
];

/** Packages with native parts or files of their own: they are copied, not bundled. */
export const copiedPackages = ['@node-rs/argon2', 'oracledb'];

/** Makes a file of its own of each thread, in the folder of the chunk that starts it. */
const threads: Plugin = {
  name: 'threads',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null;
    return code.replace(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, (_, name: string) => {
      this.emitFile({ type: 'chunk', id: join(dirname(id), `${name}.ts`), fileName: `${name}.js` });
      return `new URL('./${name}.js', import.meta.url)`;
    });
  },
};

/**
 * Writes the service and its commands as plain JavaScript, without types and without packages to install; the modules that
 * it consists of.
 */
export async function bundleService(root: string, folder: string): Promise<string[]> {
  const bundle = await rolldown({
    cwd: root,
    input: { kaptain: join(service, 'kaptain.ts'), main: join(service, 'main.ts') },
    platform: 'node',
    external: [...copiedPackages, 'pg-native'],
    plugins: [threads],
    // Optional parts of drivers, which each of them tries to load and does without.
    onLog: (level, log, print) => (log.code === 'UNRESOLVED_IMPORT' ? undefined : print(level, log)),
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minify: { compress: false, mangle: false, codegen: true },
  });
  await bundle.close();
  for (const file of readAtRunTime) copyFileSync(resolve(root, file), join(folder, basename(file)));
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
}
