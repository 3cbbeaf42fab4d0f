/** The limits for reading one file; the caller can change each. */
export interface QvdLimits {
  /** Bytes of XML before the first 0x00. */
  readonly headerBytes: number;
  readonly fields: number;
  readonly rows: number;
  /** Rows of zero bytes can be declared without file content, so they have a limit of their own. */
  readonly rowsWithoutBytes: number;
  readonly recordBytes: number;
  readonly textBytes: number;
  /** Symbol bytes and their positions, for all chosen columns together. */
  readonly symbolMemory: number;
}

const MiB = 2 ** 20;

export const DEFAULT_LIMITS: QvdLimits = {
  headerBytes: 16 * MiB,
  fields: 10_000,
  rows: 1_000_000_000,
  rowsWithoutBytes: 1_000_000,
  recordBytes: 65_536,
  textBytes: 16 * MiB,
  symbolMemory: 2048 * MiB - 1,
};
