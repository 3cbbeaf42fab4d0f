import { SettingsUpdate } from '@kaptain/contract';
import type { Call } from '../../base/call/call.ts';
import type { SavedGeneration } from '../../base/config/settings/generation-file.ts';
import { Refusal } from '../../base/config/settings/refusal.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { check } from '../../http/server/validate.ts';
import type { ProviderTests } from '../../identity/oidc/provider-tests.ts';
import { checkComplete } from './complete.ts';
import { keepSecrets } from './keep-secrets.ts';
import { tryProvider } from './try-provider.ts';

export interface TestSignInDeps {
  providerTests: ProviderTests;
  clock: () => number;
}

/** Begins a sign-in with the provider of the form; a masked secret means the stored one, for the same client only. */
export async function testSignIn(
  given: Record<string, unknown>,
  before: SavedGeneration,
  { providerTests, clock }: TestSignInDeps,
  call: Call<'admin'>,
): Promise<{ url: string }> {
  const block = { ...(given['provider'] as object | undefined), enabled: true };
  try {
    const asked = check(SettingsUpdate, { settings: {}, provider: block }) as SettingsUpdate;
    const { settings } = keepSecrets({ settings: asked, files: before.files }, before);
    checkComplete(settings);
    if (!settings.provider) throw new AppError('BAD_INPUT', 'There is nothing entered to sign in with yet.');
    await tryProvider(settings.provider, clock);
    return await providerTests.begin(settings.provider, call);
  } catch (error) {
    if (error instanceof Refusal)
      throw new AppError('BAD_INPUT', error.message, { details: { field: error.field } });
    throw error;
  }
}
