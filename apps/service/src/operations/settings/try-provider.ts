import type { ProviderSettings } from '@kaptain/contract';
import { Refusal } from '../../base/config/settings/refusal.ts';
import { LongAnswerError } from '../../identity/oidc/bounded-fetch.ts';
import { createProviderClient } from '../../identity/oidc/provider-client.ts';
import { CONNECTION_TEST_MS } from '../tuning.ts';
import { categoryOf, hints } from './failure-category.ts';
import { inTime } from './in-time.ts';

/** The sentence of the settings page about the failure. */
function hintOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at instanceof LongAnswerError) return at.message;
  const category = categoryOf(error);
  return category === 'other' ? 'There is no OpenID Connect provider at this address.' : hints[category];
}

/** Fetches the metadata of the provider: an invalid address can't be saved. */
export async function tryProvider(settings: ProviderSettings, clock: () => number): Promise<void> {
  try {
    await inTime(CONNECTION_TEST_MS, createProviderClient(settings, clock).check());
  } catch (error) {
    throw new Refusal('provider.issuer', `The provider can not be used. ${hintOf(error)}`);
  }
}
