import type { Caller, TestAnswer } from './caller.ts';

export interface TestFile {
  name: string;
  content: string | Uint8Array;
  field?: string;
}

const BOUNDARY = 'the-boundary-of-the-test';

/** A multipart body as browsers write it. */
export function multipart(files: readonly TestFile[]): { body: Buffer; headers: Record<string, string> } {
  const parts = files.flatMap(({ name, content, field = 'files' }) => [
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
    ),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } };
}

export const upload = (caller: Caller, path: string, files: readonly TestFile[]): Promise<TestAnswer> =>
  caller.call('POST', path, multipart(files));
