import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeContract } from '../../testing/store.contract.ts';
import { BEHIND } from './granules/index-fields.ts';
import { openEmbeddedStore } from './open.ts';
import { countIn } from './testing/looking-inside.ts';

storeContract('embedded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kaptain-store-'));
  const file = join(folder, 'kaptain.db');
  const open = () => openEmbeddedStore({ file });
  const fieldIndexes = async () => ({
    indexes: countIn(file, 'granule_field_indexes'),
    behind: countIn(file, `(${BEHIND})`),
  });
  return { open, fieldIndexes, discard: () => rm(folder, { recursive: true }) };
});
