import type { KapResult } from '../../api/kapsules.ts';

/** Spec 8: the text about one .kap file. */
export function importMessage(result: KapResult): string {
  if ('line' in result) return result.line;
  const { file, failure } = result;
  return failure === undefined ? `${file} import successfully` : `${file} import failed, log: ${failure}`;
}
