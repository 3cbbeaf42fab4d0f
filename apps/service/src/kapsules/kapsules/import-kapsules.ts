import { readFile } from 'node:fs/promises';
import type { api, Kapsule, KapsuleStructure, Sent } from '@kaptain/contract';
import { fieldsOfKap } from '@kaptain/contract/kap-fields';
import type { Lock } from '@kaptain/contract/locks';
import type { Call, SessionCaller } from '../../base/call/call.ts';
import { toAppError } from '../../http/server/errors.ts';
import type { UploadedFile } from '../../http/uploads/upload.ts';
import { parseKap } from './kap-file.ts';

type Results = Sent<typeof api.kapsules.importMany>;
type Create = (
  structure: KapsuleStructure & { locks?: Lock[] },
  action: 'kapsule.import',
  call: Call<'loggedIn'>,
) => Promise<Kapsule>;

interface Steps {
  create: Create;
  prove: (structure: KapsuleStructure, caller: SessionCaller) => Promise<void>;
}

/** Other failures are told for each file. */
function onlyUnproven(error: unknown): void {
  if (toAppError(error).code === 'PROOF_NEEDED') throw error;
}

export async function readKap({ path, problem }: UploadedFile): Promise<ReturnType<typeof parseKap>> {
  if (problem) throw problem;
  return parseKap(await readFile(path));
}

/** A new kapsule as the file has it: one of version 1 brings no rules. */
async function readNew(file: UploadedFile): Promise<Parameters<Create>[0]> {
  const { version, structure, locks } = await readKap(file);
  return { ...structure, fields: fieldsOfKap(version, structure.fields, []), ...(locks && { locks }) };
}

/** Spec 7: one result line per file; each is a unit of work of its own. */
export async function importKapsules(
  files: readonly UploadedFile[],
  { create, prove }: Steps,
  call: Call<'loggedIn'>,
): Promise<Results> {
  // The proof is asked for before the first kapsule is created, because the caller then sends all files again.
  for (const file of files)
    await readNew(file)
      .then((structure) => prove(structure, call.caller))
      .catch(onlyUnproven);
  const results: Results = [];
  for (const file of files) {
    try {
      const kapsule = await create(await readNew(file), 'kapsule.import', call);
      results.push({
        file: file.name,
        status: 'success',
        message: `${kapsule.name} was created.`,
        kapsuleId: kapsule._id,
      });
    } catch (error) {
      const { code, message } = toAppError(error);
      // A caller who has lost their session or right meanwhile gets the error that any call gets.
      if (code === 'NOT_LOGGED_IN' || code === 'FORBIDDEN' || code === 'INTERNAL') throw error;
      results.push({ file: file.name, status: 'failed', message });
    }
  }
  return results;
}
