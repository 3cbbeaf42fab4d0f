import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProcess } from '../../apps/service/src/testing/service-process.ts';
import rootPackage from '../../package.json' with { type: 'json' };
import { root } from '../setup/project.mjs';
import { isFullTest } from '../test-size.ts';
import { bundleConsole } from './build-console.ts';
import { bundleService } from './bundle.ts';
import { insideReference, installedReference, listedReference } from './inside-reference.ts';
import { licenceTexts, packagesOf } from './shipped-packages.ts';

describe.runIf(isFullTest)('the bundled service', () => {
  let home = '';
  const lib = () => join(home, 'app', 'service', 'lib');

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'kaptain-bundle-'));
    await bundleService(root, lib());
    writeFileSync(join(home, 'app', 'package.json'), '{ "type": "module" }');
    // The files copied into a release: native parts are not bundled.
    symlinkSync(join(root, 'node_modules'), join(home, 'app', 'node_modules'), 'junction');
  });

  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const { version } = rootPackage;
  const json = { 'content-type': 'application/json' };

  it('starts without sources, and saves, exports as QVD and hashes passwords on its threads', async () => {
    const env = { KAPTAIN_DATA_DIR: join(home, 'data'), KAPTAIN_METRICS: 'loopback' };
    using service = startProcess(env, join(lib(), 'main.js'));
    await service.said(/ready on http:\/\/localhost:\d+/);
    const url = /http:\/\/localhost:\d+/.exec(service.output())?.[0] ?? '';
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(url + path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
    const person = { username: 'admin', password: 'correct horse battery' };
    expect((await post('/api/user/init', person)).status).toBe(200);
    const { accessToken } = (await (await post('/auth/login', person)).json()) as { accessToken: string };
    const authorization = { authorization: `Bearer ${accessToken}` };
    const fields = [{ name: 'Comment', type: 'text' }];
    const created = await post('/api/kapsule', { name: 'Orders', keyField: 'ID', fields }, authorization);
    const { _id: id } = (await created.json()) as { _id: string };
    const saved = await fetch(`${url}/api/kapsule/${id}/granules`, {
      method: 'PUT',
      headers: { ...json, ...authorization },
      body: JSON.stringify({ granules: [{ key: 'A-1', data: { Comment: 'Late' } }] }),
    });
    expect(saved.status).toBe(200);
    const exported = await fetch(`${url}/api/kapsule/${id}/export?format=qvd`, { headers: authorization });
    expect(await exported.text()).toContain('<QvdTableHeader>');
    for (const file of ['docs.css', 'strict-policy.js', 'reference.js', 'openapi.json'])
      expect([file, (await fetch(`${url}/docs/${file}`)).status]).toEqual([file, 200]);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain(`kaptain_build_info{version="${version}"`);
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it('says how to call its commands without npm', async () => {
    using help = startProcess({ KAPTAIN_DATA_DIR: join(home, 'data') }, join(lib(), 'kaptain.js'), 'help');
    await help.ended;
    expect(help.output()).toContain('  kaptain start ');
    expect(help.output()).not.toContain('npm');
  });

  it('names the font of the console, with its licence, among the packages of others', async () => {
    const shipped = packagesOf(await bundleConsole(root, join(home, 'console')));
    const font = shipped.filter(({ name }) => name === '@fontsource-variable/inter');
    expect(font.map(({ license }) => license)).toEqual(['OFL-1.1']);
    expect(licenceTexts(font)).toContain('SIL OPEN FONT LICENSE');
  });
});

it('lists the packages inside the API reference, of the version that is installed', () => {
  expect(listedReference()).toBe(installedReference());
  const names = insideReference().map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['vue', '@codemirror/view', 'highlight.js']));
  expect(licenceTexts(insideReference())).toContain('highlight.js');
});
