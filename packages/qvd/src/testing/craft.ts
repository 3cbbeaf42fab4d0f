/** A column of a crafted file; every value may be wrong on purpose. */
export interface CraftedField {
  readonly FieldName?: string;
  readonly BitOffset?: string | number;
  readonly BitWidth?: string | number;
  readonly Bias?: string | number;
  readonly NoOfSymbols?: string | number;
  readonly Offset?: string | number;
  readonly Length?: string | number;
  readonly Type?: string;
  readonly Tags?: readonly string[];
  /** The symbol table itself. */
  readonly symbols?: Uint8Array;
  /** Raw XML at the end of the field's header. */
  readonly extra?: string;
  /** Elements to leave out. */
  readonly without?: readonly string[];
}

interface CraftedFile {
  readonly fields?: readonly CraftedField[];
  /** Elements of the root that replace the correct ones. */
  readonly root?: Readonly<Record<string, string | number>>;
  readonly without?: readonly string[];
  readonly extra?: string;
  readonly rows?: Uint8Array;
  readonly recordBytes?: number;
  readonly prolog?: string;
  readonly endTag?: string;
  readonly tail?: Uint8Array;
  /** Edits the final header text. */
  readonly edit?: (xml: string) => string;
}

const utf8 = new TextEncoder();

/** The bytes of a symbol: an int32, a float64, a text or a dual. */
export const int = (value: number): Uint8Array => bytes([1, ...new Uint8Array(Int32Array.of(value).buffer)]);
export const double = (value: number): Uint8Array =>
  bytes([2, ...new Uint8Array(Float64Array.of(value).buffer)]);
export const text = (value: string): Uint8Array => join(bytes([4]), utf8.encode(value), bytes([0]));
export const dual = (value: number, shown: string): Uint8Array =>
  join(bytes([5, ...new Uint8Array(Int32Array.of(value).buffer)]), utf8.encode(shown), bytes([0]));
export const bytes = (values: Iterable<number>): Uint8Array => Uint8Array.from(values);

export function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Two columns, four rows: the sound file that most hostile files are derived from. */
export const PLAIN_FIELDS: readonly CraftedField[] = [
  {
    FieldName: 'Id',
    BitOffset: 0,
    BitWidth: 2,
    symbols: join(int(1), int(2), int(3), int(4)),
    NoOfSymbols: 4,
  },
  {
    FieldName: 'Name',
    BitOffset: 2,
    BitWidth: 6,
    Bias: -2,
    symbols: join(text('a'), dual(7, '007')),
    NoOfSymbols: 2,
  },
];
const PLAIN_ROWS: Uint8Array = bytes([0b1000, 0b1101, 0b0010, 0b1011]);

/** The same file with one field changed. */
export const withField = (change: CraftedField, index = 0, file: CraftedFile = {}): Uint8Array<ArrayBuffer> =>
  craft({
    ...file,
    fields: PLAIN_FIELDS.map((field, at) => (at === index ? { ...field, ...change } : field)),
  });

/** Builds a file without any validation. */
export function craft(file: CraftedFile = {}): Uint8Array<ArrayBuffer> {
  const fields = file.fields ?? PLAIN_FIELDS;
  const rows = file.rows ?? PLAIN_ROWS;
  const recordBytes = file.recordBytes ?? 1;
  let at = 0;
  const declared = fields.map((field) => {
    const length = field.symbols?.length ?? 0;
    const xml = fieldXml({ Offset: at, Length: length, ...field });
    at += length;
    return xml;
  });
  const root: Record<string, string | number> = {
    QvBuildNo: 50_000,
    CreateUtcTime: '2026-01-01 00:00:00',
    TableName: 'T',
    Fields: declared.join(''),
    Compression: '',
    RecordByteSize: recordBytes,
    NoOfRecords: recordBytes === 0 ? 0 : rows.length / recordBytes,
    Offset: at,
    Length: rows.length,
    ...file.root,
  };
  const xml = `${file.prolog ?? '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'}<QvdTableHeader>${elements(
    root,
    file.without,
  )}${file.extra ?? ''}${file.endTag ?? '</QvdTableHeader>'}\r\n\0`;
  const symbols = fields.map((field) => field.symbols ?? new Uint8Array());
  return join(utf8.encode(file.edit?.(xml) ?? xml), ...symbols, rows, file.tail ?? new Uint8Array());
}

function fieldXml(field: CraftedField): string {
  const { symbols: _, Type = 'UNKNOWN', Tags = [], extra = '', without, ...rest } = field;
  const known = { FieldName: 'F', BitOffset: 0, BitWidth: 0, Bias: 0, NoOfSymbols: 0, ...rest };
  const tags = Tags.map((tag) => `<String>${tag}</String>`).join('');
  return `<QvdFieldHeader>${elements(known, without)}<NumberFormat><Type>${Type}</Type></NumberFormat><Tags>${tags}</Tags>${extra}</QvdFieldHeader>`;
}

function elements(
  values: Readonly<Record<string, string | number>>,
  without: readonly string[] = [],
): string {
  const wanted = Object.entries(values).filter(([name]) => !without.includes(name));
  return wanted.map(([name, value]) => `<${name}>${value}</${name}>`).join('\r\n');
}
