import { QvdWriter } from '@kaptain/qvd';
import { comments } from '../granules-store/rows.ts';

const columns = [
  { name: 'Id' },
  { name: 'Key' },
  { name: 'Amount', type: 'number' },
  { name: 'OrderDate', type: 'date' },
  { name: 'Country' },
  { name: 'Comment' },
  { name: 'Region' },
  { name: 'CreatedBy' },
] as const;

/** A QVD file of eight columns, of which a kapsule of the benches has five, in a multipart body; another `edition` has other comments. */
export function qvdUpload(rows: number, edition = 0): { type: string; body: Buffer } {
  const writer = new QvdWriter({ tableName: 'Comments', columns });
  let n = 0;
  for (const { key, user, data } of comments(rows, 'ORD')) {
    const { Comment, Amount, OrderDate, Country } = data as Record<string, string> & { Amount: number };
    const comment = edition && Comment ? `${Comment} ${edition}` : Comment;
    writer.addRow([++n, key, Amount, OrderDate, Country, comment, `Region ${n % 40}`, user]);
  }
  const head = '--b\r\ncontent-disposition: form-data; name="files[]"; filename="comments.qvd"\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), ...writer.chunks(), Buffer.from('\r\n--b--\r\n')]);
  return { type: 'multipart/form-data; boundary=b', body };
}
