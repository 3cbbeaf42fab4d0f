import type { Plugin, Rolldown } from 'vite';

const PLACEHOLDER = 'CODE_FILES';
const quoted = new RegExp(`["'\`]${PLACEHOLDER}["'\`]`);

type Chunks = Record<string, Rolldown.OutputChunk>;

/** The file of a chunk and all files that it imports statically. */
function filesOf(file: string, chunks: Chunks, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const imported of chunks[file]?.imports ?? []) filesOf(imported, chunks, found);
  return found;
}

/**
 * Tells `api/load-code.ts` which files belong to each part that is loaded on demand, by the name of its module.
 * The hash of the file that contains the list already depends on the names of all these files.
 */
export const codeFiles = (): Plugin => ({
  name: 'kaptain:code-files',
  apply: 'build',
  config: () => ({ define: { [PLACEHOLDER]: JSON.stringify(PLACEHOLDER) } }),
  generateBundle(_, bundle) {
    const chunks: Chunks = {};
    for (const output of Object.values(bundle)) if (output.type === 'chunk') chunks[output.fileName] = output;
    const first = Object.values(chunks).filter(({ isEntry }) => isEntry);
    const loaded = new Set(first.flatMap(({ fileName }) => [...filesOf(fileName, chunks)]));
    const parts: Record<string, string[]> = {};
    for (const { name, fileName, isDynamicEntry } of Object.values(chunks)) {
      if (!isDynamicEntry) continue;
      if (parts[name])
        this.error(`Two parts of the console are called ${name}: rename one of their modules.`);
      parts[name] = [...filesOf(fileName, chunks)]
        .filter((file) => !loaded.has(file))
        .map((file) => `/${file}`);
    }
    const holder = Object.values(chunks).find(({ code }) => quoted.test(code));
    if (!holder) this.error(`No code contains ${PLACEHOLDER}.`);
    holder.code = holder.code.replace(quoted, () => JSON.stringify(JSON.stringify(parts)));
  },
});
