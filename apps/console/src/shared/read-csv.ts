/** The separator of a file: spreadsheets of many countries write semicolons. */
function separatorOf(text: string): string {
  const [header = ''] = text.split(/\r?\n/, 1);
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: header.split(sign).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).sign;
}

/** The rows of a CSV text (RFC 4180); a quoted value may contain separators, quotes and line ends. */
export function readCsv(given: string): string[][] {
  const text = given.replace(/^\ufeff/, '');
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let value = '';
  let isQuoted = false;
  const endRow = () => {
    row.push(value);
    if (row.some((one) => one.trim() !== '')) rows.push(row);
    row = [];
    value = '';
  };
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index] as string;
    if (isQuoted) {
      if (sign !== '"') value += sign;
      else if (text[index + 1] === '"') {
        value += '"';
        index += 1;
      } else isQuoted = false;
    } else if (sign === '"' && value === '') isQuoted = true;
    else if (sign === separator) {
      row.push(value);
      value = '';
    } else if (sign === '\n') endRow();
    else if (sign !== '\r') value += sign;
  }
  endRow();
  return rows;
}
