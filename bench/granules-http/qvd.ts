import { QvdWriter } from '@kaptain/qvd';
import { comments } from '../granules-store/rows.ts';

/** What the writer holds as a file in a multipart body. */
export function uploadOf(writer: QvdWriter): { type: string; body: Buffer } {
  const head = '--b\r\ncontent-disposition: form-data; name="files[]"; filename="comments.qvd"\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), ...writer.chunks(), Buffer.from('\r\n--b--\r\n')]);
  return { type: 'multipart/form-data; boundary=b', body };
}

export function qvdUpload(rows: number): { type: string; body: Buffer } {
  const names = ['Key', 'Comment', 'Amount', 'Status', 'CreatedBy'];
  const writer = new QvdWriter({ tableName: 'Comments', columns: names.map((name) => ({ name })) });
  for (const { key, user, data } of comments(rows, 'ORD')) {
    const { Comment, Amount, Status } = data as { Comment: string; Amount: number; Status: string };
    writer.addRow([key, Comment, Amount, Status, user]);
  }
  return uploadOf(writer);
}
