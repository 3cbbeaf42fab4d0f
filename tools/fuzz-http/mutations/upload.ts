import { type Draft, hostileText, type Mutation, type Part } from '../draft.ts';
import type { Random } from '../random.ts';
import { mutateValue } from './json.ts';

const somePart = ({ parts = [] }: Draft, random: Random): Part | undefined => random.pick(parts);

const field = (name: string, content = 'x'): Part => ({
  headers: [`content-disposition: form-data; name="${name}"`],
  content: Buffer.from(content),
});

const copies = (part: Part, count: number): Part[] =>
  Array.from({ length: count }, () => ({ headers: [...part.headers], content: part.content }));

/** For a quoted parameter of a part: a quote or a line end would end it. */
const inQuotes = (text: string): string => Buffer.from(text.toWellFormed()).toString('latin1').slice(0, 3000);

const inPart =
  (change: (part: Part, random: Random) => void): Mutation =>
  (draft, random) => {
    const part = somePart(draft, random);
    if (part) change(part, random);
  };

const inContent = (change: (content: Buffer, random: Random) => Buffer): Mutation =>
  inPart((part, random) => {
    part.content = change(part.content, random);
  });

/** Numbers of files and fields around the limits of the parser. */
const countParts: Mutation = (draft, random) => {
  const [first] = draft.parts ?? [];
  if (!first) return;
  const { maxFiles } = draft;
  const count = random.pick([
    0,
    2,
    maxFiles,
    maxFiles + 1,
    maxFiles + 4,
    maxFiles + 5,
    maxFiles + 6,
    maxFiles + 20,
  ]);
  draft.parts = copies(first, count);
};

const addFields: Mutation = (draft, random) => {
  const count = random.pick([1, 5, 6, 7, 60]);
  const name = random.pick(['a', 'files', '', '__proto__', 'constructor', 'x'.repeat(200)]);
  const fields = Array.from({ length: count }, () => field(name, random.pick(['x', 'x'.repeat(5000)])));
  draft.parts = random.chance(0.5)
    ? [...fields, ...(draft.parts ?? [])]
    : [...(draft.parts ?? []), ...fields];
};

const nameFile = inPart((part, random) => {
  const name = inQuotes(hostileText(random));
  const ending = random.pick(['.kap', '.qvd', '.pem', '.pfx', '.exe', '']);
  part.headers[0] = random.pick([
    `content-disposition: form-data; name="files"; filename="${name}${ending}"`,
    `content-disposition: form-data; name="files"; filename*=UTF-8''${encodeURIComponent(name)}${ending}`,
    `content-disposition: form-data; name="${name}"; filename="a${ending}"`,
    `content-disposition: form-data; filename="a${ending}"`,
    'content-disposition: form-data; name="files"; filename=""',
    'content-disposition: form-data',
    'content-disposition: attachment; name=files; filename=a.kap',
    'content-disposition:',
    'x: y',
    name,
  ]);
});

const headersOfPart = inPart((part, random) => {
  const extra = random.pick([
    'content-transfer-encoding: base64',
    'content-transfer-encoding: quoted-printable',
    'content-type: multipart/mixed; boundary=inner',
    'content-type: text/plain; charset=utf-16',
    'content-type: ;;;===',
    `x-long: ${'y'.repeat(90_000)}`,
    'no colon',
    ' folded',
    part.headers[0] ?? '',
  ]);
  const draw = random.next();
  if (draw < 0.1) part.headers = [];
  else if (draw < 0.2) for (let count = 0; count < 3000; count++) part.headers.push(`x-${count}: 1`);
  else part.headers.push(extra);
});

const boundary: Mutation = (draft, random) => {
  draft.saidBoundary = random.pick([
    '',
    '""',
    '" "',
    `"${draft.boundary}"`,
    `${draft.boundary}; boundary=other`,
    `other; boundary=${draft.boundary}`,
    'x',
    `x${'y'.repeat(70)}`,
    `x${'y'.repeat(5000)}`,
    '--',
    'ä',
    `${draft.boundary} `,
    `"${draft.boundary}`,
    `${draft.boundary}\r\nx-more: 1`,
  ]);
};

const ownBoundary: Mutation = (draft, random) => {
  draft.boundary = random.pick(['-', '--', 'a'.repeat(70), 'a'.repeat(2000), '(),./:=?', ' ', '\r\n', "'"]);
};

const loseEnd: Mutation = (draft) => {
  draft.isUnfinished = true;
};

const shake = inContent((content, random) => {
  const copy = Buffer.from(content);
  for (let count = 1 + random.below(6); count > 0 && copy.length > 0; count--)
    copy[random.below(copy.length)] = random.pick([
      0,
      1,
      0x22,
      0x3c,
      0x3e,
      0x7f,
      0x80,
      0xff,
      random.below(256),
    ]);
  return copy;
});

const kapValue = inContent((content, random) => {
  try {
    return Buffer.from(JSON.stringify(mutateValue(JSON.parse(content.toString('utf8')), random)) ?? '');
  } catch {
    return content;
  }
});

/** Numbers in the header of a QVD file are lengths and offsets. */
const qvdNumber = inContent((content, random) => {
  const text = content.toString('latin1');
  const found = [...text.matchAll(/>(-?\d+)</g)];
  const match = random.pick(found);
  if (!match) return content;
  const number = random.pick([
    '0',
    '-1',
    '1',
    '255',
    '2147483647',
    '4294967295',
    '9007199254740991',
    '1e9',
    '',
  ]);
  return Buffer.from(
    `${text.slice(0, match.index)}>${number}<${text.slice(match.index + match[0].length)}`,
    'latin1',
  );
});

const resize = inContent((content, random) =>
  random.pick([
    () => Buffer.alloc(0),
    () => content.subarray(0, random.below(content.length + 1)),
    () => Buffer.concat([content, content]),
    () => Buffer.concat([content, Buffer.alloc(random.pick([1, 70_000, 1_100_000]), 0x20)]),
    () => Buffer.from('['.repeat(300_000)),
    () => Buffer.from(`\r\n--${'x'.repeat(50)}\r\n`.repeat(500)),
  ])(),
);

export const uploadMutations: readonly Mutation[] = [
  countParts,
  countParts,
  addFields,
  nameFile,
  headersOfPart,
  boundary,
  ownBoundary,
  loseEnd,
  shake,
  shake,
  kapValue,
  kapValue,
  qvdNumber,
  resize,
];
