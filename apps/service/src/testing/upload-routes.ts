import { api, type FilesRule, type Route } from '@kaptain/contract';
import { requests, type ValidRequest } from './access-matrix/requests.ts';
import { addKapsule } from './kapsules.ts';
import type { TestApp } from './test-app.ts';

export interface UploadRoute {
  label: string;
  rule: FilesRule;
  /** A file that the route accepts. */
  file: NonNullable<ValidRequest['file']>;
  /** The path of the call for a new object. */
  address(app: TestApp): Promise<string>;
}

const requestOf = (noun: string, name: string): ValidRequest =>
  (requests as Record<string, Record<string, ValidRequest>>)[noun]?.[name] ?? {};

/** Every call of the contract that accepts files. */
export const uploadRoutes: UploadRoute[] = Object.entries(api).flatMap(([noun, routes]) =>
  Object.entries<Route>(routes).flatMap(([name, route]) => {
    if (!route.files) return [];
    const { file, params = () => [], query } = requestOf(noun, name);
    if (!file) throw new Error(`requests.ts has no file for ${noun}.${name}`);
    let objects = 0;
    const address = async (app: TestApp) => {
      const { id } = await addKapsule(app.store, `for ${name} ${++objects}`);
      const values = params(id, '');
      const path = route.path.replace(/:\w+/g, () => encodeURIComponent(values.shift() ?? ''));
      return query ? `${path}?${query(id)}` : path;
    };
    return [{ label: `${noun}.${name}`, rule: route.files, file, address }];
  }),
);
