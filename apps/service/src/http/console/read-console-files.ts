import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type MemoryFile, memoryFile } from '../server/memory-file.ts';

function read(folder: string): [path: string, content: Buffer][] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        return [`/${file.slice(folder.length + 1).replaceAll(sep, '/')}`, readFileSync(file)];
      });
  } catch {
    return [];
  }
}

/** The built console in memory: no request names a file on the disk, so none can leave the folder. */
export function readConsoleFiles(folder: string): { indexHtml?: string; files: Map<string, MemoryFile> } {
  const all = read(folder);
  const index = all.find(([path]) => path === '/index.html');
  const files = new Map(
    all
      .filter(([path]) => path !== '/index.html' && path !== '/config.json')
      .map(([path, content]) => [path, memoryFile(path, content, path.startsWith('/assets/'))]),
  );
  return { files, ...(index && { indexHtml: index[1].toString('utf8') }) };
}
