import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answers } from '../../../testing/fake-service.ts';
import { kapsule } from '../granules-fixture.ts';

const samples = join(import.meta.dirname, '../../../../../../packages/qvd/samples');

export const sampleBytes = (name: string) => readFile(join(samples, name));
export const sample = async (name: string) => new File([await sampleBytes(name)], name);

/** A file that can be imported into the kapsule below, under another name. */
export const good = async (name: string) =>
  new File([await sampleBytes('ctrl-q-qvd-viewer__colors.qvd')], name);

export const colours = {
  ...kapsule,
  keyField: 'id',
  fields: [
    { name: 'name', type: 'text' },
    { name: 'RGB', type: 'text' },
  ],
};

export type ImportQvd = NonNullable<NonNullable<Answers['granules']>['importQvd']>;

/** An import whose check finds nothing to ask about. */
export const afterCheck =
  (importQvd: ImportQvd): ImportQvd =>
  (input) =>
    input.query?.dryRun === 'true' ? { rows: 0, files: [] } : importQvd(input);
