import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'kaptain-bench-'));
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
