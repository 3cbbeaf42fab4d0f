import { api, maskSecrets } from '@kaptain/contract';
import type { Settings } from '../../config/settings.ts';
import { type Handlers, noneServedYet } from '../../http/call.ts';

/** The settings are read from their file at the start; changing them over the wire is not built yet. */
export const settingsRoutes = (settings: Settings): Handlers<typeof api.settings> => ({
  ...noneServedYet(api.settings),
  get: () => maskSecrets(settings.whole()),
});
