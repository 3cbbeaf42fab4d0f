import type { KapsuleRecord } from '@kaptain/store';
import { type Caller, callerOf } from '../../../testing/caller.ts';
import { addGranules, addKapsule } from '../../../testing/kapsules.ts';
import {
  newQlikApp,
  type QlikApp,
  type RestConnection,
  runQlikScript,
} from '../../../testing/qlik-script.ts';
import { listenLocally } from '../../../testing/raw-socket.ts';
import { type TestApp, testApp } from '../../../testing/test-app.ts';

type RunOptions = Partial<Parameters<typeof runQlikScript>[2]>;
interface LoadScene extends AsyncDisposable {
  app: TestApp;
  key: Caller;
  kapsule: KapsuleRecord;
  script: string;
  run(script: string, qlik?: QlikApp, options?: RunOptions): Promise<QlikApp>;
  reloaded(): Promise<[reloaded: number, total: number]>;
  save(key: string): Promise<unknown>;
  /** Deletes granules by their keys; returns their ids. */
  remove(...keys: string[]): Promise<string[]>;
  connections: Record<'Kaptain' | 'Kaptain confirm', RestConnection>;
}

/** A service on a real port, a kapsule with three granules, and the script made for it. */
export async function loadScene(name = 'Sales', change: Partial<KapsuleRecord> = {}): Promise<LoadScene> {
  const app = await testApp({ settings: { apiKey: true } });
  const admin = await app.asAdmin();
  const apikey = String((await admin.get('/api/privatekey/get')).body['apikey']);
  await admin.post('/api/privatekey/create', { name: 'loader', apikey });
  const key = callerOf(app.http, apikey);
  const kapsule = await addKapsule(app.store, name, change);
  await addGranules(app.store, kapsule, 3);
  const host = `127.0.0.1:${await listenLocally(app.http)}`;
  const { text: script } = await key.get(`/api/kapsule/${kapsule.id}/loadscript`, { host });
  const headers = { 'x-api-key': apikey };
  const connections = {
    Kaptain: { method: 'GET', headers },
    'Kaptain confirm': { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
  } as const;
  return {
    app,
    key,
    kapsule,
    script,
    async run(text, qlik = newQlikApp(), options = {}) {
      await runQlikScript(text, qlik, { connections, ...options });
      return qlik;
    },
    async reloaded() {
      const { reloaded, total } = await app.store.granules.counts(kapsule.id);
      return [reloaded, total];
    },
    save: (granuleKey) =>
      app.store.granules.upsert(kapsule.id, [{ key: granuleKey, user: 'x', data: { comment: 'new' } }]),
    async remove(...keys) {
      const rows = await app.store.granules.lookup(kapsule.id, keys);
      return await app.store.granules.removeMany(
        rows.map((row) => row?.id ?? ''),
        'x',
      );
    },
    connections,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}
