import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transferContract } from '../../testing/transfer.contract.ts';
import { openEmbeddedTransfer } from './transfer.ts';

transferContract('the embedded store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kaptain-transfer-'));
  const open = () => openEmbeddedTransfer({ file: join(folder, 'kaptain.db') });
  return { open, discard: () => rm(folder, { recursive: true }) };
});
