import { granules } from '@kaptain/contract/granules';
import { fetchWithProgress, type OnProgress } from './fetch-with-progress.ts';
import { service } from './service.ts';

interface Options {
  onProgress: OnProgress;
  signal: AbortSignal;
  /** Nothing is stored: the answer tells what would be. */
  isDryRun?: boolean;
  /** Rows with refused values are left out, instead of refusing all. */
  goodRowsOnly?: boolean;
}

/** Stores the rows of QVD files: of all of them, or of none. */
export const importQvd = (
  kapsuleId: string,
  files: readonly File[],
  { onProgress, signal, isDryRun = false, goodRowsOnly = false }: Options,
) =>
  service({ granules }, fetchWithProgress(onProgress)).granules.importQvd(
    {
      query: {
        kapsuleId,
        ...(isDryRun && { dryRun: 'true' }),
        ...(goodRowsOnly && { goodRowsOnly: 'true' }),
      },
      files,
    },
    { signal },
  );
