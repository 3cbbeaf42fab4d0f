import { join, resolve } from 'node:path';
import { build } from 'vite';

/** Builds the console into a folder; the modules and files, such as fonts, that it consists of. */
export async function bundleConsole(root: string, folder: string): Promise<string[]> {
  const home = join(root, 'apps', 'console');
  const modules = new Set<string>();
  await build({
    configFile: join(home, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true },
    plugins: [
      {
        name: 'modules',
        generateBundle(_, chunks) {
          for (const chunk of Object.values(chunks))
            if (chunk.type === 'chunk') for (const id of chunk.moduleIds) modules.add(id);
            else for (const file of chunk.originalFileNames) modules.add(resolve(home, file));
        },
      },
    ],
  });
  return [...modules];
}
