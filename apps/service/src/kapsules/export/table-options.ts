import type { MisfitOptions } from '../misfits/misfit-files.ts';
import type { CsvReader } from './csv-cell.ts';
import type { TableKapsule } from './table-file.ts';

/** The kind of the file; a message to the thread that makes it. */
export type TableOptions =
  | ({
      kapsule: TableKapsule;
      /** With the columns that tell of deleted granules. */
      deletions?: boolean;
    } & ({ format: 'csv'; reader: CsvReader; watermark?: string | undefined } | { format: 'qvd' }))
  | ({ format: 'fields-check' | 'misfits' | 'misfits-csv' } & MisfitOptions);
