import { describe, expect, test } from 'vitest';
import { api } from './api.ts';

const routes = Object.values(api).flatMap((noun) => Object.values(noun));
const spec7 = routes.filter((route) => !('extra' in route)).map((route) => `${route.method} ${route.path}`);

describe('the contract', () => {
  test('declares exactly the 40 calls of SPEC 7, beside its marked extras', () => {
    expect(spec7.sort()).toEqual(
      [
        'POST /auth/login',
        'GET /api/user/status',
        'POST /api/user/init',
        'GET /app/version',
        'GET /api/kapsule',
        'GET /api/kapsule/:id',
        'GET /api/kapsule/:id/sql/read/internal',
        'DELETE /api/kapsule/sql/granules',
        'DELETE /api/kapsule/sql',
        'POST /api/kapsule/import/qvd/data',
        'POST /api/kapsule/import/kapsules',
        'POST /api/kapsule/import/kapsule/:id',
        'GET /api/kapsule/export/kapsule',
        'GET /api/privatekey/list',
        'GET /api/privatekey/get',
        'POST /api/privatekey/create',
        'DELETE /api/privatekey/del/:id',
        'GET /api/group/list',
        'POST /api/group/create',
        'PUT /api/group/update/:groupId',
        'DELETE /api/group/del/:id',
        'GET /api/group/findByUser/:id',
        'GET /api/user/list',
        'DELETE /api/user/:id',
        'PUT /api/user/unlock/:id',
        'POST /api/user/create',
        'PUT /api/user/update',
        'GET /api/log/list',
        'GET /api/log/download/:id',
        'GET /api/log/sys/list',
        'GET /api/log/sys/:kind/:fileName/content',
        'GET /api/log/sys/:kind/:fileName/download',
        'GET /configuration/sys/get/info',
        'GET /configuration/sys/has/file/kaptain/:fileName',
        'PUT /configuration/sys/update/info',
        'POST /configuration/sys/restart/service',
        'POST /configuration/sys/import/file',
        'POST /configuration/sys/upload/file/server.pfx',
        'POST /configuration/sys/upload/file/server.pem',
        'POST /configuration/sys/upload/file/server_key.pem',
      ].sort(),
    );
  });

  test('has no two routes on the same method and path', () => {
    const all = routes.map((route) => `${route.method} ${route.path.replace(/:\w+/g, ':')}`);
    expect(new Set(all).size).toBe(all.length);
  });

  test('declares every parameter of every path', () => {
    for (const route of routes) {
      const named = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
      expect(Object.keys('params' in route ? route.params.shape : {})).toEqual(named);
    }
  });
});
