import type { ProviderSettings } from '@kaptain/contract';
import type { Settings } from '../../base/config/settings.ts';
import { createProviderClient, type ProviderClient } from './provider-client.ts';

export interface UsedProvider {
  settings: ProviderSettings;
  client: ProviderClient;
}

/** The provider of the settings, while it is on; one client as long as its settings stay the same. */
export function createProvider(settings: Settings, clock: () => number): () => UsedProvider | undefined {
  let used: (UsedProvider & { key: string }) | undefined;
  return () => {
    const block = settings.whole().provider;
    if (!block?.enabled) return undefined;
    const key = JSON.stringify(block);
    if (used?.key !== key) used = { key, settings: block, client: createProviderClient(block, clock) };
    return used;
  };
}
