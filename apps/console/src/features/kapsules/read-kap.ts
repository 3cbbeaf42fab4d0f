import { KapFile } from '@kaptain/contract/kapsules';
import { limits } from '@kaptain/contract/limits';

/** What a .kap file has, or the reason why it can't be shown. */
export async function readKap(file: File): Promise<KapFile | string> {
  if (file.size > limits.kapBytes) return 'The file is too large for a .kap file.';
  try {
    const { data, error } = KapFile.safeParse(JSON.parse(await file.text()));
    return data ?? error?.issues[0]?.message ?? 'This is not a .kap file.';
  } catch {
    return 'This is not a .kap file.';
  }
}
