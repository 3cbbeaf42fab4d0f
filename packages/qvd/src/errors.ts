/** The reasons for refusing a file; the codes are stable, so callers may rely on them. */
export type QvdErrorCode =
  | 'NOT_QVD'
  | 'HEADER_TRUNCATED'
  | 'HEADER_TOO_LARGE'
  | 'HEADER_UNSUPPORTED'
  | 'HEADER_NUMBER'
  | 'HEADER_MISSING'
  | 'HEADER_DUPLICATE'
  | 'COMPRESSED'
  | 'ENCRYPTED'
  | 'ROWS_EXTENT'
  | 'ROWS_TRUNCATED'
  | 'SYMBOLS_EXTENT'
  | 'SYMBOL_TRUNCATED'
  | 'SYMBOL_TYPE'
  | 'SYMBOL_COUNT'
  | 'SYMBOL_UTF8'
  | 'BITS_RANGE'
  | 'BITS_OVERLAP'
  | 'BIAS_RANGE'
  | 'INDEX_RANGE'
  | 'LIMIT_FIELDS'
  | 'LIMIT_ROWS'
  | 'LIMIT_TEXT'
  | 'LIMIT_MEMORY'
  | 'FILE_CHANGED'
  | 'COLUMN_UNKNOWN';

interface ErrorLocation {
  /** The column, as it may be shown to users. */
  readonly field?: string | undefined;
  /** Byte position in the file. */
  readonly offset?: number | undefined;
}

/** The file is refused; rows read before must not be presented as a complete table. */
export class QvdFormatError extends Error {
  override readonly name = 'QvdFormatError';
  readonly code: QvdErrorCode;
  readonly field: string | null;
  readonly offset: number | null;

  constructor(code: QvdErrorCode, message: string, location: ErrorLocation = {}) {
    super(message);
    this.code = code;
    this.field = location.field ?? null;
    this.offset = location.offset ?? null;
  }
}

/** An irregularity that changes no value. */
export interface QvdWarning {
  readonly code:
    | 'BYTE_ORDER_MARK'
    | 'UNESCAPED_MARKUP'
    | 'ROOT_END_TAG'
    | 'ELEMENT_MISSING'
    | 'NAME_EMPTY'
    | 'NAME_DUPLICATE'
    | 'NAME_UTF8'
    | 'SYMBOL_UTF8'
    | 'MIXED_COLUMN'
    | 'DATE_RANGE'
    | 'SENTINEL_NULLS'
    | 'INDEX_RANGE'
    | 'TRAILING_BYTES';
  readonly message: string;
  readonly field: string | null;
}
