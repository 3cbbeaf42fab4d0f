import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeContract } from '../../testing/store.contract.ts';
import { openEmbeddedStore } from './open.ts';

storeContract('embedded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kaptain-store-'));
  const open = () => openEmbeddedStore({ file: join(folder, 'kaptain.db') });
  return { open, discard: () => rm(folder, { recursive: true }) };
});
