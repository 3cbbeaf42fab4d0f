import { limits } from '@kaptain/contract';
import { isThread } from '@kaptain/contract/fields';
import { multipart } from '../multipart.ts';
import { qvdBytes } from '../qvd.ts';
import { type Answer, type Call, type Client, isRefusal } from './client.ts';
import { answerOf, type HeavyService, type Row } from './service.ts';
import type { Shape } from './shapes.ts';

/** The kapsule that a call is tried on. */
export interface Subject {
  service: HeavyService;
  /** Its owner. */
  owner: Client;
  id: string;
  shape: Shape;
  rows: Row[];
  /** The rows as a QVD file. */
  qvd: Buffer;
  /** Ids of its first granules. */
  granuleIds: string[];
  watermark: string;
}

const expectDone = (answer: Answer, call: Call) => {
  if (answer.status >= 300)
    throw new Error(`${call.method} ${call.path}: ${answer.status} ${answer.text.slice(0, 300)}`);
  return answer;
};

/** A refusal with 413 counts as an answer: a limit may refuse what would delay others. */
export const send =
  (make: (subject: Subject) => Call, by: 'owner' | 'admin' = 'owner') =>
  async (subject: Subject): Promise<Answer> => {
    const call = make(subject);
    const answer = await (by === 'admin' ? subject.service.admin : subject.owner).call(call);
    return isRefusal(answer) ? answer : expectDone(answer, call);
  };

export const get = (path: (subject: Subject) => string, by: 'owner' | 'admin' = 'owner') =>
  send((subject) => ({ method: 'GET', path: path(subject) }), by);

export const page = (query: string) =>
  get(({ id }) => `/api/kapsule/${id}/sql/read/internal?page=1&size=100&${query}`);
export const where = ({ shape }: Subject, condition: object) =>
  `where=${JSON.stringify([{ field: shape.fields[0]?.name, ...condition }])}`;
export const isWide = ({ shape }: Subject) =>
  (shape.fields[0]?.name.length ?? 0) > limits.nameCharacters - 20;

/** The rows as a QVD file, without members that are no field. */
export function qvdOf(shape: Shape, rows: readonly Row[]): Buffer {
  const names = shape.fields.map(({ name }) => name);
  const textOf = (value: unknown) =>
    typeof value === 'object' ? JSON.stringify(value) : (value as string | number);
  const values = rows.map(({ key, data }) => [
    key,
    ...names.map((name) => textOf(data[name] ?? null) ?? null),
  ]);
  return qvdBytes(['key', ...names], values);
}

export const qvdImport = (query: string) =>
  send((subject) => ({
    method: 'POST',
    path: `/api/kapsule/import/qvd/data?kapsuleId=${subject.id}${query}`,
    bytes: multipart([{ field: 'files[]', name: 'rows.qvd', content: subject.qvd }]),
  }));

export const qvdProposal = send(({ qvd }) => ({
  method: 'POST',
  path: '/api/kapsule/proposal/qvd',
  bytes: multipart([{ name: 'rows.qvd', content: qvd }]),
}));

export const structureOf = ({ shape }: Subject, name: string) => ({
  name,
  keyField: 'key',
  table: '',
  fields: shape.fields,
});
/** With other names for all fields that a USER may rename. */
export const renamed = (structure: ReturnType<typeof structureOf>) => ({
  ...structure,
  fields: structure.fields.map(({ name, type }) => ({ name: isThread(type) ? name : `${name}~`, type })),
});
export const kapFile = (subject: Subject, name: string) =>
  JSON.stringify({ format: 'kap', version: 1, kapsule: structureOf(subject, name) });
export async function total({ owner, id }: Subject): Promise<number> {
  const path = `/api/kapsule/${id}/granules/count`;
  return Number((await answerOf(owner, { method: 'GET', path }))['total']);
}

/** Made once: this process measures what others wait for. */
export const manyMembers = {
  body: Buffer.from(
    JSON.stringify({
      granules: [
        {
          key: 'members',
          data: Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`m${at}`, 1])),
        },
      ],
    }),
  ),
  headers: { 'content-type': 'application/json' },
};
