import { qvdUpload } from './qvd.ts';
import { uploadWhenAsked } from './upload-when-asked.ts';

/** Sends one QVD file for each number of rows: `uploader.ts <rows>…`. Each file has other values for the same keys. */
const sizes = process.argv.slice(2).map(Number);
uploadWhenAsked(sizes.map((rows, place) => ({ rows, method: 'POST', ...qvdUpload(rows, place) })));
