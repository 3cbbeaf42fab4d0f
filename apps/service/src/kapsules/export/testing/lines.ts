import type { FieldType } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';

/** The members of a granule's data, in order; a name may come twice. */
export type Data = [name: string, value: unknown][];

interface Row {
  key: string;
  user: string;
  data: Data;
  updatedAt?: string;
}

export const aKapsule = (fields: { name: string; type: FieldType }[]): KapsuleRecord =>
  ({ name: 'Sales', keyField: 'Key', fields }) as unknown as KapsuleRecord;

/** Lines as the stores write them. */
export const linesOf = (rows: readonly Row[]): string =>
  rows
    .map(({ key, user, data, updatedAt = '2026-02-28T10:11:12.345Z' }, n) => {
      const members = data
        .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
        .join(',');
      const names = `{"_id":"${n}","user":${JSON.stringify(user)},"key":${JSON.stringify(key)},"data":{${members}}`;
      return `${names},"reloaded":false,"createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"${updatedAt}","version":1}\n`;
    })
    .join('');

/** Some whole lines at a time. */
export function partsOf(lines: string, perPart: number): Buffer[] {
  const all = lines.split(/(?<=\n)/).filter((line) => line !== '');
  const parts: Buffer[] = [];
  for (let at = 0; at < all.length; at += perPart)
    parts.push(Buffer.from(all.slice(at, at + perPart).join('')));
  return parts;
}

export async function joined(chunks: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(Buffer.from(chunk as string));
  return Buffer.concat(all);
}
