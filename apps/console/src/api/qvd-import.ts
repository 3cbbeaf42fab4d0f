import { granules } from '@kaptain/contract/granules';
import { fetchWithProgress, type OnProgress } from './fetch-with-progress.ts';
import { service } from './service.ts';

/** Stores the rows of QVD files: of all of them, or of none. */
export const importQvd = (
  kapsuleId: string,
  files: readonly File[],
  options: { onProgress: OnProgress; signal: AbortSignal },
) =>
  service({ granules }, fetchWithProgress(options.onProgress)).granules.importQvd(
    { query: { kapsuleId }, files },
    { signal: options.signal },
  );
