/** What an element of the header holds: text, nothing we may look at, or other elements. */
export type Shape =
  | { readonly kind: 'text' }
  | { readonly kind: 'skip' }
  | { readonly kind: 'group' | 'list'; readonly children: ReadonlyMap<string, Shape> };

const text: Shape = { kind: 'text' };
const skip: Shape = { kind: 'skip' };

/** Each child once. */
const group = (children: Record<string, Shape>): Shape => ({ kind: 'group', children: toMap(children) });
/** The same child any number of times. */
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

/** All elements a QVD header is known to hold, by parent: Offset and Length mean different things in two places. */
export const HEADER_SHAPE: ReadonlyMap<string, Shape> = new Map([
  [
    'QvdTableHeader',
    group({
      QvBuildNo: text,
      CreatorDoc: skip, // names people and servers
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
      Lineage: skip, // connection strings, SQL and paths: never looked at, so never shown
      Comment: text,
      EncryptionInfo: text,
      TableTags: skip,
      ProfilingData: skip,
    }),
  ],
]);
