import { qvdUpload } from './qvd.ts';
import { uploadWhenAsked } from './upload-when-asked.ts';

const rows = Number(process.argv[2]);
uploadWhenAsked([{ rows, method: 'POST', ...qvdUpload(rows) }]);
