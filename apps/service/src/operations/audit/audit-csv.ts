import type { AuditRecord } from '@kaptain/store';
import { cell } from '../../kapsules/export/csv-cell.ts';
import { AUDIT_CHUNK_CHARACTERS } from '../tuning.ts';

const columns = [
  'at',
  'actor',
  'action',
  'target',
  'targetName',
  'result',
  'ip',
  'requestId',
  'before',
  'after',
] as const satisfies readonly (keyof AuditRecord)[];

/** Spreadsheets take a file without it for another encoding. */
const BYTE_ORDER_MARK = '\ufeff';

/** The entries as CSV for people: what a spreadsheet would run as a formula gets an apostrophe. */
export async function* auditCsv(entries: AsyncIterable<AuditRecord>): AsyncGenerator<string> {
  let chunk = `${BYTE_ORDER_MARK}${columns.join(',')}\r\n`;
  for await (const entry of entries) {
    chunk += `${columns.map((column) => cell(entry[column], 'person')).join(',')}\r\n`;
    if (chunk.length < AUDIT_CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
