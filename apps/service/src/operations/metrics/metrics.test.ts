import { api, type Route } from '@kaptain/contract';
import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { version } from '../../base/version.ts';
import { PASSWORD, type TestApp, testApp } from '../../testing/test-app.ts';
import { Metrics } from './metrics.ts';

const TOKEN = 'a-token-for-the-metrics-0123456789';
const withToken = { authorization: `Bearer ${TOKEN}` };

const scrape = async (app: TestApp, headers: Record<string, string> = withToken) =>
  app.asNobody.get('/metrics', headers);
/** The lines of one metric without comments. */
const linesOf = (text: string, name: string) =>
  text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
const valuesOf = (text: string, label: string) =>
  new Set([...text.matchAll(new RegExp(`[{,]${label}="([^"]*)"`, 'g'))].map(([, value]) => value));

describe('who may read the metrics', () => {
  it('is no one while they are off: the path is unknown', async () => {
    await using app = await testApp();
    const { status, body } = await scrape(app, {});
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    expect((await scrape(app, { accept: 'text/html' })).status).toBe(404);
  });

  it('is a caller with their token alone, not even an ADMIN without it', async () => {
    await using app = await testApp({ metricsAccess: { token: TOKEN } });
    const admin = await app.asAdmin();
    expect((await scrape(app, {})).status).toBe(401);
    expect((await admin.get('/metrics')).status).toBe(401);
    for (const wrong of [TOKEN.slice(1), `${TOKEN}x`, TOKEN.toUpperCase(), 'x'.repeat(5000)])
      expect((await scrape(app, { authorization: `Bearer ${wrong}` })).status).toBe(401);
    const { status, body } = await scrape(app, { authorization: 'Basic abc' });
    expect([status, body.code]).toEqual([401, 'NOT_LOGGED_IN']);
    const { status: ok, headers, text } = await scrape(app);
    expect([ok, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(text).toContain('kaptain_build_info{version="9.8.7"');
    expect((await app.asNobody.post('/metrics', {}, withToken)).status).toBe(405);
  });

  it('is a program of this computer with "loopback": by the socket, never by a header', async () => {
    await using app = await testApp({ metricsAccess: 'loopback', trustedProxies: ['127.0.0.1', '10.0.0.5'] });
    const ask = async (remoteAddress: string, headers: InjectOptions['headers'] = {}) => {
      const options = { method: 'GET', url: '/metrics', remoteAddress } as const;
      return (await app.http.inject({ ...options, headers: { host: 'localhost:8000', ...headers } }))
        .statusCode;
    };
    for (const here of ['127.0.0.1', '127.0.0.9', '::1', '::ffff:127.0.0.1'])
      expect(await ask(here)).toBe(200);
    for (const elsewhere of ['10.0.0.5', '192.168.1.127', '::ffff:10.0.0.5', 'fe80::127', '::12'])
      expect(await ask(elsewhere)).toBe(403);
    expect(await ask('10.0.0.5', { 'x-forwarded-for': '127.0.0.1' })).toBe(403);
    // A proxy on this computer passes on requests of others.
    for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'])
      expect(await ask('127.0.0.1', { [name]: '127.0.0.1' })).toBe(403);
    // A page that rebinds its name to this computer.
    expect(await ask('127.0.0.1', { host: 'evil.example' })).toBe(403);
  });
});

describe('the metrics', () => {
  it('label requests by route template and status, whatever callers send', async () => {
    await using app = await testApp({ metricsAccess: { token: TOKEN } });
    const admin = await app.asAdmin();
    const secret = 'a-value-of-a-caller';
    await admin.get(`/api/kapsule/${secret}`);
    for (let number = 0; number < 50; number += 1) {
      await app.asNobody.get(`/api/${secret}/${number}`);
      await app.asNobody.get(`/${secret}-${number}`, { accept: 'text/html' });
    }
    await app.asNobody.call('TRACE', `/${secret}`);
    await app.asNobody.get('/assets/index-abc123.js');
    await app.asNobody.get(`/%zz${secret}`);
    const { text } = await scrape(app);
    expect(text).not.toContain(secret);
    const templates = Object.values(api).flatMap((routes) =>
      Object.values<Route>(routes).map(({ path }) => path),
    );
    const allowed = new Set([...templates, '/metrics', 'console', 'unknown']);
    const routes = valuesOf(text, 'route');
    expect([...routes].filter((route) => !allowed.has(route ?? ''))).toEqual([]);
    expect([...routes]).toEqual(expect.arrayContaining(['console', 'unknown', '/api/kapsule/:id']));
    const count = (labels: string) =>
      linesOf(text, 'kaptain_http_request_duration_seconds_count').find((line) => line.includes(labels));
    expect(count('method="POST",route="/auth/login",status="200"')).toMatch(/ 1$/);
    expect(count('method="GET",route="/api/kapsule/:id",status="404"')).toMatch(/ 1$/);
    expect(count('method="GET",route="unknown",status="400"')).toMatch(/ 1$/);
    expect(count('method="GET",route="unknown",status="404"')).toMatch(/ 50$/);
    // The screens, and a file of the console.
    expect(count('method="GET",route="console",status="200"')).toMatch(/ 51$/);
  });

  it('count refused logins, and jobs by result', async () => {
    await using app = await testApp({ metricsAccess: { token: TOKEN } });
    const value = async (name: string, labels: string) =>
      linesOf((await scrape(app)).text, name)
        .find((line) => line.includes(labels))
        ?.split(' ')[1];
    const refused = () => value('kaptain_audit_entries_total', 'action="session.loginRefused"');
    expect(await refused()).toBe('0');
    await app.asAdmin();
    const wrong = { username: 'admin', password: `${PASSWORD}?` };
    expect((await app.asNobody.post('/auth/login', wrong)).status).toBe(401);
    expect(await refused()).toBe('1');
    expect(await value('kaptain_audit_entries_total', 'action="session.login",')).toBe('1');
    const metrics = new Metrics('1');
    const ended = { action: 'job.finish', result: 'ok', after: { status: 'failed' } } as const;
    metrics.countEntry(ended);
    metrics.countEntry({ ...ended, after: { status: 'made up' } });
    expect(linesOf(await metrics.text(), 'kaptain_jobs_finished_total')).toEqual([
      'kaptain_jobs_finished_total{result="succeeded"} 0',
      'kaptain_jobs_finished_total{result="failed"} 1',
      'kaptain_jobs_finished_total{result="cancelled"} 0',
    ]);
  });

  it('show store, pools, permits, jobs, disk and backup, and stay readable without the database', async () => {
    await using app = await testApp({ metricsAccess: { token: TOKEN } });
    const before = (await scrape(app)).text;
    expect(linesOf(before, 'kaptain_store_up')).toEqual(['kaptain_store_up{database="embedded"} 1']);
    const pools = ['writer', 'background writer', 'saves', 'readers', 'passwords'];
    expect(valuesOf(before, 'pool')).toEqual(new Set(pools));
    expect(linesOf(before, 'kaptain_permits_limit')).toEqual([
      'kaptain_permits_limit{kind="uploads"} 4',
      'kaptain_permits_limit{kind="streams"} 16',
      'kaptain_permits_limit{kind="event streams"} 1000',
    ]);
    expect(linesOf(before, 'kaptain_jobs')).toEqual([
      'kaptain_jobs{status="queued"} 0',
      'kaptain_jobs{status="running"} 0',
    ]);
    expect(linesOf(before, 'kaptain_last_backup_timestamp_seconds')).toEqual([
      'kaptain_last_backup_timestamp_seconds 0',
    ]);
    expect(linesOf(before, 'kaptain_data_folder_free_bytes')[0]).toMatch(/ [1-9]/);
    expect(linesOf(before, 'kaptain_certificate_not_after_timestamp_seconds')).toEqual([]);
    expect(linesOf(before, 'nodejs_eventloop_lag_p99_seconds')).toHaveLength(1);
    await app.store.close();
    const { status, text } = await scrape(app);
    expect(status).toBe(200);
    expect(linesOf(text, 'kaptain_store_up')).toEqual(['kaptain_store_up{database="embedded"} 0']);
    expect(linesOf(text, 'kaptain_jobs')).toEqual([]);
  });

  it('show the permit of an event stream while it runs', async () => {
    await using app = await testApp({ metricsAccess: { token: TOKEN } });
    const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
    const admin = await app.asAdmin();
    const { body } = await admin.post('/api/kapsule', {
      name: 'Orders',
      keyField: 'ID',
      fields: [{ name: 'Note', type: 'text' }],
    });
    const stream = await fetch(`${url}/api/kapsule/${String(body['_id'])}/events`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    await stream.body?.getReader().read();
    const held = linesOf((await scrape(app)).text, 'kaptain_permits_held');
    expect(held).toContain('kaptain_permits_held{kind="event streams"} 1');
  });

  it('know the version of the repository', async () => {
    expect(await new Metrics(version).text()).toContain(`kaptain_build_info{version="${version}"`);
  });
});
