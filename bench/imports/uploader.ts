import { QvdWriter } from '@kaptain/qvd';
import { uploadOf } from '../granules-http/qvd.ts';
import { uploadWhenAsked } from '../granules-http/upload-when-asked.ts';
import { comments } from '../granules-store/rows.ts';

/** Sends QVD files of eight columns, of which the kapsule has four, at low priority: `uploader.ts <rows>…`. */
const names = ['Key', 'Comment', 'Region', 'Amount', 'Quarter', 'Status', 'Year', 'Source'];

function upload(rows: number, place: number) {
  const writer = new QvdWriter({ tableName: 'Comments', columns: names.map((name) => ({ name })) });
  let n = 0;
  for (const { key, data } of comments(rows, 'ORD')) {
    const { Comment, Amount, Status } = data as { Comment: string; Amount: number; Status: string };
    // The rows of a later file differ from those of an earlier one with the same keys.
    const comment = place === 0 ? Comment : `${Comment} ${place}`;
    writer.addRow([key, comment, `Region ${n % 40}`, Amount, n % 4, Status, 2000 + (n % 27), 'SAP']);
    n += 1;
  }
  return { rows, method: 'POST', ...uploadOf(writer) };
}

uploadWhenAsked(process.argv.slice(2).map((rows, place) => upload(Number(rows), place)));
