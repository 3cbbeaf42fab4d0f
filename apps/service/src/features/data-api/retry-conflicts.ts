import { GranuleConflictError } from '@kaptain/store';

/** Others who change the same granule meanwhile need as many tries as there are of them. */
const MOST_TRIES = 10;

/** Repeats a save whose versions the service itself has read, as long as another writer was faster. */
export async function retryConflicts<T>(
  work: () => Promise<T>,
  isOurs: (error: GranuleConflictError) => boolean = () => true,
): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof GranuleConflictError) || !isOurs(error) || tries === MOST_TRIES) throw error;
    }
}
