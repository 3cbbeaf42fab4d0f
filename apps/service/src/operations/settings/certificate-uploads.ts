import { readFile } from 'node:fs/promises';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import type { ServerFile } from '../../base/config/settings/generation-file.ts';
import { uploadProblem } from '../../base/config/settings/uploaded-certificate.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { UploadedFile } from '../../http/uploads/upload.ts';
import { requireStillAdmin } from '../../identity/sessions/require-still-admin.ts';
import type { SettingsDeps } from './settings-deps.ts';
import type { UploadKind } from './settings-home.ts';

interface GivenFile {
  receiveFiles: () => Promise<readonly UploadedFile[]>;
}

/** Receives certificates and keys: checks them before they are stored, under generated names. */
export function certificateUploads({ home, clock }: SettingsDeps) {
  async function receive(kind: UploadKind, { receiveFiles }: GivenFile): Promise<Buffer> {
    const [file] = await receiveFiles();
    const bytes = file ? await readFile(file.path) : Buffer.alloc(0);
    const problem = uploadProblem(kind, bytes);
    if (problem) throw new AppError('BAD_INPUT', problem);
    return bytes;
  }

  const add = (kind: UploadKind, bytes: Buffer, call: Call<'admin'>) =>
    home.addUpload(kind, bytes, async (nouns, name) => {
      await requireStillAdmin(nouns, call);
      const target = { noun: 'certificate', id: name, name };
      await audit(nouns, call, clock(), { action: 'settings.upload', target });
    });

  return {
    forServer: (name: ServerFile) => async (given: GivenFile, call: Call<'admin'>) =>
      add(name, await receive(name, given), call),
    forPlatform: async (given: GivenFile, call: Call<'admin'>) =>
      add('platform', await receive('platform', given), call),
  };
}
