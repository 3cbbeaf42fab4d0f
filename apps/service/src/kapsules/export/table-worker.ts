import { parentPort } from 'node:worker_threads';
import { FieldsCheckFile, MisfitCsvFile, MisfitPageFile } from '../misfits/misfit-files.ts';
import { CsvFile } from './csv-file.ts';
import { QvdFile } from './qvd-file.ts';
import type { TableFile } from './table-file.ts';
import type { Command, Made, Reply, Request } from './table-messages.ts';
import type { TableOptions } from './table-options.ts';

// A million rows would block the event loop for seconds. The files of this thread take turns, a chunk of rows at a time.
const port = parentPort;
if (!port) throw new Error('Tables are made on a worker thread only.');

interface OpenFile {
  file: TableFile;
  rest?: Generator<Uint8Array<ArrayBuffer>>;
}

const files = new Map<number, OpenFile>();

port.on('message', ({ call, file, command }: Request) => {
  try {
    const made = execute(file, command);
    port.postMessage({ call, made } satisfies Reply, made.bytes ? [made.bytes.buffer] : []);
  } catch (error) {
    port.postMessage({ call, failure: String(error) } satisfies Reply, []);
  }
});

function fileOf(options: TableOptions): TableFile {
  switch (options.format) {
    case 'csv':
      return new CsvFile(options);
    case 'qvd':
      return new QvdFile(options.kapsule, options.deletions);
    case 'fields-check':
      return new FieldsCheckFile(options);
    case 'misfits':
      return new MisfitPageFile(options);
    case 'misfits-csv':
      return new MisfitCsvFile(options);
  }
}

function execute(id: number, command: Command): Made {
  if (command.kind === 'open') {
    files.set(id, { file: fileOf(command.options) });
    return { bytes: null, memory: 0 };
  }
  const open = files.get(id);
  if (!open) throw new Error('The file is not open.');
  const { file } = open;
  switch (command.kind) {
    case 'add':
      return { bytes: file.add(command.lines), memory: file.memory };
    case 'next':
      open.rest ??= file.rest();
      return { bytes: open.rest.next().value ?? null, memory: file.memory };
    case 'close':
      files.delete(id);
      return { bytes: null, memory: 0 };
  }
}
