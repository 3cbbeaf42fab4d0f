import type { PlatformUser } from '@kaptain/contract';
import type * as Platform from '@kaptain/platform-connection';
import type { KeptSettings } from '../../base/config/settings.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { Log } from '../../base/logging/logs.ts';

const COOKIE = /^X-Qlik-Session(?:-([\w-]{1,100}))?$/i;
const SESSION_ID = /^[\w-]{8,128}$/;
/** A browser has one per virtual proxy. */
const MOST_SESSIONS = 5;

/** The sessions of Qlik Sense in a Cookie header; it is neither logged nor stored. */
export function sessionsIn(cookies: string): { prefix: string; id: string }[] {
  return cookies
    .split(';')
    .map((cookie) => cookie.trim().split('='))
    .flatMap(([name = '', id = '']) => {
      const [found, prefix = ''] = COOKIE.exec(name) ?? [];
      return found && SESSION_ID.test(id) ? [{ prefix, id }] : [];
    })
    .slice(0, MOST_SESSIONS);
}

interface Deps {
  settings: KeptSettings;
  dataDir: string;
  log: Log;
}

/** Asks the platform of the settings who a person is. */
export class PlatformProof {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** By the session cookies of Qlik Sense, which a browser sends to all ports of one host. */
  bySession(cookies: string): Promise<PlatformUser | undefined> {
    return this.#ask(async ({ personBySession }, settings, options) => {
      for (const session of sessionsIn(cookies)) {
        const person = await personBySession(settings, options, session);
        if (person) return person;
      }
      return undefined;
    });
  }

  /** By an access token of Qlik Cloud. */
  byToken(token: string): Promise<PlatformUser | undefined> {
    return this.#ask(({ personByToken }, settings, options) => personByToken(settings, options, token));
  }

  async #ask(
    question: (
      platform: typeof Platform,
      settings: ReturnType<KeptSettings['whole']>,
      options: { folder: string },
    ) => Promise<PlatformUser | undefined>,
  ): Promise<PlatformUser | undefined> {
    // Imported on the first call, because the platform's library is large.
    const platform = await import('@kaptain/platform-connection');
    const { settings, dataDir, log } = this.#deps;
    try {
      return await question(platform, settings.whole(), { folder: dataDir });
    } catch (error) {
      if (!(error instanceof platform.PlatformError)) throw error;
      log.warn({ reason: error.message }, 'the platform could not be asked who a person is');
      throw new AppError('UNAVAILABLE', 'The platform does not answer.', { retryAfter: 10 });
    }
  }
}
