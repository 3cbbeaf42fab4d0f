import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { QvdKind } from '../index.ts';

/** A cell of the manifest; long texts have only length, start and hash. */
export interface ExpectedCell {
  readonly t: QvdKind;
  readonly n?: number;
  readonly s?: string;
  readonly sPrefix?: string;
  readonly sUtf8Bytes?: number;
  readonly sSha256?: string;
}

export type ExpectedRow = readonly (ExpectedCell | null)[];

interface SoundSample {
  readonly file: string;
  readonly expect: 'ok';
  readonly headerBytes: number;
  readonly qvBuildNo: string;
  readonly tableName: string;
  readonly rows: number;
  readonly columns: number;
  readonly fieldNames: readonly string[];
  readonly firstRows: readonly ExpectedRow[];
  readonly lastRow: ExpectedRow | null;
  readonly nullCounts: readonly number[];
  readonly numericSums: readonly number[];
  readonly textUtf8Bytes: readonly number[];
}

type Sample = (SoundSample | { readonly file: string; readonly expect: 'error' }) & {
  readonly path: string;
};

const COMMITTED = new URL('../../samples/', import.meta.url);
/** The complete set of samples, which may lie beside the repository on a developer's machine. */
const COMPLETE = new URL('../../../../../shared/qvd/', import.meta.url);

export const hasCompleteSamples: boolean = existsSync(new URL('manifest.json', COMPLETE));

export function loadSamples(): readonly Sample[] {
  const folder = hasCompleteSamples ? COMPLETE : COMMITTED;
  const { files } = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')) as { files: Sample[] };
  return files.map((sample) => ({ ...sample, path: fileURLToPath(new URL(sample.file, folder)) }));
}

export const isSound = (sample: Sample): sample is SoundSample & { readonly path: string } =>
  sample.expect === 'ok';
