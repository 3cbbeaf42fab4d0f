import { afterAll } from 'vitest';
import { signInContract } from '../../testing/sign-in.contract.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

signInContract(() => ({ folder: folder.path }));
