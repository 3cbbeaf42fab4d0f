import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProcess } from '../testing/service-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

it('never rolls back to an empty database, where any visitor could create the first admin: prints one line and ends with 1', async () => {
  using folder = temporaryFolder();
  const db = {
    KAPTAIN_DB: 'postgres',
    KAPTAIN_DB_HOST: '127.0.0.1',
    KAPTAIN_DB_PORT: 1,
    KAPTAIN_DB_USER: 'u',
    KAPTAIN_DB_NAME: 'n',
  };
  writeFileSync(join(folder.path, 'settings.json'), JSON.stringify({ settings: {}, db }));
  using started = startProcess({ KAPTAIN_DATA_DIR: folder.path });
  expect(await started.ended).toBe(1);
  expect(started.output()).toMatch(/^[^\n]*(?:PostgreSQL|database)[^\n]*\n$/i);
  expect(started.output()).not.toMatch(/is ready on/);
});
