import { openQvd, QvdFormatError, type QvdTable } from '@kaptain/qvd/node';
import { ImportRefusal } from './import-refusal.ts';

const LIMITS = { textBytes: 1024 * 1024, symbolMemory: 512 * 1024 * 1024 };

/** Adds the name of the file to the errors of its reader. */
export async function named<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof QvdFormatError) {
      const column = error.field === null ? '' : ` (column ${error.field})`;
      throw new ImportRefusal(`${name}: ${error.message}${column}`);
    }
    throw error instanceof ImportRefusal && !error.message.startsWith(name)
      ? new ImportRefusal(`${name}: ${error.message}`, error.code)
      : error;
  }
}

/** Opens an uploaded file within the limits of its thread. */
export const openQvdFile = ({ name, path }: { name: string; path: string }): Promise<QvdTable> =>
  named(name, () => openQvd(path, { limits: LIMITS }));
