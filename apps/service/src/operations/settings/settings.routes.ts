import { type api, maskSecrets } from '@kaptain/contract';
import { audit } from '../../base/audit/audit.ts';
import { withEmptyBlocks } from '../../base/config/settings/untouched-blocks.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { PreparedJson } from '../../http/answers/prepared-json.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import { certificateUploads } from './certificate-uploads.ts';
import { checkNotEmptied } from './complete.ts';
import { generationHistory } from './generation-history.ts';
import { keepPolicy } from './keep-policy.ts';
import { keepSecrets } from './keep-secrets.ts';
import { restartService } from './restart-service.ts';
import { saveSettings } from './save-settings.ts';
import type { SettingsDeps } from './settings-deps.ts';
import { testConnection } from './test-connection.ts';
import { testSignIn } from './test-sign-in.ts';
import { transfer } from './transfer.ts';

const success = { status: 'success' };

export function settingsRoutes(deps: SettingsDeps): Handlers<typeof api.settings> {
  const { certificates, home, store, clock } = deps;
  const save = saveSettings(deps);
  const history = generationHistory(deps);
  const moving = transfer(deps, clock);
  const uploads = certificateUploads(deps);
  return {
    async get() {
      const { generation, settings: whole } = await home.newest();
      const { settings: system, ...rest } = withEmptyBlocks(maskSecrets(whole));
      const shown = { settings: { ...system, port: deps.port }, ...rest, generation };
      return PreparedJson.of(shown, { etag: `"${generation}"` });
    },
    async update({ body }, call) {
      const propose = (before: Parameters<typeof keepSecrets>[1]) => {
        checkNotEmptied(body, before.settings);
        const settings = keepPolicy(body, before.settings);
        return keepSecrets({ settings, files: certificates.next(before.files) }, before);
      };
      await save('settings.update', propose, call);
      return success;
    },
    async hasFile({ params }) {
      await home.fetchUploads();
      if (!certificates.has(params.fileName, (await home.newest()).files)) throw new AppError('NOT_FOUND');
      return { exists: true };
    },
    restart: (_, call) => restartService(deps, call),
    importFile: (given, call) => uploads.forPlatform(given, call),
    uploadServerPfx: uploads.forServer('server.pfx'),
    uploadServerPem: uploads.forServer('server.pem'),
    uploadServerKey: uploads.forServer('server_key.pem'),
    async testConnection({ body }) {
      await home.fetchUploads();
      return testConnection(body, await home.newest(), deps);
    },
    testSignIn: async ({ body }, call) => testSignIn(body.settings, await home.newest(), deps, call),
    state: () => history.state(),
    history: () => history.list(),
    difference: ({ params }) => history.difference(params.generation),
    async returnTo({ params }, call) {
      await save('settings.returnTo', () => history.read(params.generation), call);
      return success;
    },
    async exportAll({ body }, call) {
      const file = await moving.pack(await home.newest(), body.passphrase);
      const after = { withSecrets: body.passphrase !== undefined };
      await store.transaction((nouns) => audit(nouns, call, clock(), { action: 'settings.export', after }));
      return file;
    },
    previewImport: async ({ body }) => moving.preview(body.file, body.passphrase, await home.newest()),
    async importAll({ body }, call) {
      const propose = async (before: Parameters<typeof moving.unpack>[2]) =>
        (await moving.unpack(body.file, body.passphrase, before)).next;
      await save('settings.import', propose, call);
      return success;
    },
  };
}
