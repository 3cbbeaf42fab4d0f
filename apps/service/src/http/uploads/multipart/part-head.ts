import { MalformedError } from './malformed.ts';
import { parametersOf } from './parameters.ts';

export interface PartHead {
  /** The name of the form's field. */
  name: string;
  /** Without folders; undefined when the part is not a file. */
  fileName: string | undefined;
}

const HEADER = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\r\n]*)$/;
const DISPOSITION = /^form-data[ \t]*;/i;
const FOLDERS = /^.*[\\/]/s;

/** Parses the headers of a part, which must have one Content-Disposition with a name (RFC 7578, 4.2). */
export function partHead(headers: string): PartHead {
  const dispositions = headers.split('\r\n').flatMap((line) => {
    const [, name = '', value = ''] = HEADER.exec(line) ?? [];
    if (name === '') throw new MalformedError('A header of a part is not valid.');
    return name.toLowerCase() === 'content-disposition' ? [value] : [];
  });
  const [disposition = '', another] = dispositions;
  if (another !== undefined || !DISPOSITION.test(disposition))
    throw new MalformedError('A part needs one Content-Disposition.');
  const parameters = parametersOf(disposition);
  const name = parameters.get('name');
  if (name === undefined) throw new MalformedError('A part has no name.');
  return { name, fileName: parameters.get('filename')?.replace(FOLDERS, '') };
}
