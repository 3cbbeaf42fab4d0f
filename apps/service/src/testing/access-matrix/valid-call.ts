import type { Route } from '@kaptain/contract';
import { requests, type ValidRequest } from './requests.ts';
import type { World } from './world.ts';

type Prepared = Awaited<ReturnType<World['prepare']>>;

export const requestOf = ({ noun, name }: Record<'noun' | 'name', string>): ValidRequest =>
  (requests as Record<string, Record<string, ValidRequest>>)[noun]?.[name] ?? {};

const multipart = ({ field, name, content }: NonNullable<ValidRequest['file']>) =>
  Buffer.from(
    `--x\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n${content}\r\n--x--\r\n`,
    'latin1',
  );

/** The valid request of a route by this caller on this object. */
export function validCall(route: Route, valid: ValidRequest, { actor, id, granuleId }: Prepared) {
  const values = valid.params?.(id, granuleId) ?? [];
  const path = route.path.replace(/:\w+/g, () => encodeURIComponent(values.shift() ?? ''));
  const upload = valid.file && { 'content-type': 'multipart/form-data; boundary=x' };
  return {
    path: valid.query ? `${path}?${valid.query(id)}` : path,
    body: valid.file ? multipart(valid.file) : valid.body?.(id, actor, granuleId),
    headers: { ...actor.headers, ...upload },
  };
}
