/** The content of a header element: text, content to skip, or child elements. */
export type Shape =
  | { readonly kind: 'text' }
  | { readonly kind: 'skip' }
  | { readonly kind: 'group' | 'list'; readonly children: ReadonlyMap<string, Shape> };

const text: Shape = { kind: 'text' };
const skip: Shape = { kind: 'skip' };

/** Each child occurs at most once. */
const group = (children: Record<string, Shape>): Shape => ({ kind: 'group', children: toMap(children) });
/** The same child may occur any number of times. */
const list = (children: Record<string, Shape>): Shape => ({ kind: 'list', children: toMap(children) });
const toMap = (children: Record<string, Shape>) => new Map(Object.entries(children));

const FIELD = group({
  FieldName: text,
  BitOffset: text,
  BitWidth: text,
  Bias: text,
  NumberFormat: group({ Type: text, nDec: text, UseThou: text, Fmt: text, Dec: text, Thou: text }),
  NoOfSymbols: text,
  Offset: text,
  Length: text,
  Comment: text,
  Tags: list({ String: text }),
});

/** All known elements of a QVD header, by parent, because Offset and Length occur twice with different meanings. */
export const HEADER_SHAPE: ReadonlyMap<string, Shape> = new Map([
  [
    'QvdTableHeader',
    group({
      QvBuildNo: text,
      CreatorDoc: skip, // contains names of people and servers
      CreateUtcTime: text,
      SourceCreateUtcTime: skip,
      SourceFileUtcTime: skip,
      SourceFileSize: skip,
      StaleUtcTime: skip,
      TableName: text,
      Fields: list({ QvdFieldHeader: FIELD }),
      Compression: text,
      RecordByteSize: text,
      NoOfRecords: text,
      Offset: text,
      Length: text,
      Lineage: skip, // contains connection strings, SQL and paths, so it is never read
      Comment: text,
      EncryptionInfo: text,
      TableTags: skip,
      ProfilingData: skip,
    }),
  ],
]);
