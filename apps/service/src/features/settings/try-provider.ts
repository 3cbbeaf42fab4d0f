import type { ProviderSettings } from '@kaptain/contract';
import { Refusal } from '../../config/settings/refusal.ts';
import { createProviderClient } from '../../security/provider-client.ts';
import { categoryOf, hints } from './failure-category.ts';
import { inTime } from './in-time.ts';

const LIMIT_MS = 10_000;

/** Fetches the metadata of the provider: an address that is none can not be saved. */
export async function tryProvider(settings: ProviderSettings, clock: () => number): Promise<void> {
  try {
    await inTime(LIMIT_MS, createProviderClient(settings, clock).check());
  } catch (error) {
    const category = categoryOf(error);
    const hint =
      category === 'other' ? 'There is no OpenID Connect provider at this address.' : hints[category];
    throw new Refusal('provider.issuer', `The provider can not be used. ${hint}`);
  }
}
