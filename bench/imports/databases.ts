import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A database for the service, and its goals. */
export interface ImportDatabase extends AsyncDisposable {
  readonly name: string;
  readonly env: Record<string, string>;
  readonly folder: string;
  /** For a million new keys. */
  readonly seconds: number;
  /** Rows that the search index does not know yet. */
  unindexed(): Promise<number>;
}

export async function embeddedImports(): Promise<ImportDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'imports-bench-'));
  return {
    name: 'the embedded store',
    env: {},
    folder,
    seconds: 12,
    async unindexed() {
      using database = new DatabaseSync(join(folder, 'kaptain.db'), { readOnly: true });
      const found = database.prepare('SELECT count(*) AS rows FROM granule_unindexed').get();
      return Number(found?.['rows']);
    },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
