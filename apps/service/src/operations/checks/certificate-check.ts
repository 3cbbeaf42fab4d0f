import type { SettingsUpdate } from '@kaptain/contract';
import type { CertificateFiles } from '../../base/config/settings/certificate-files.ts';
import type { ServerFiles } from '../../base/config/settings/generation-file.ts';
import { Refusal } from '../../base/config/settings/refusal.ts';
import { certificateOf, tlsOptions, tryTls } from '../../base/config/settings/tls.ts';
import { DAY_MS } from '../../base/time/durations.ts';
import { type Check, error, ok, warning } from './check.ts';

const SOON_DAYS = 30;

interface Deps {
  settings: SettingsUpdate;
  files: ServerFiles;
  certificates: CertificateFiles;
  /** Names under which people open the service. */
  publicHosts: readonly string[];
  now: number;
}

/** Whether browsers accept the certificate of the service, today and soon; none without HTTPS. */
export function certificateChecks({ settings, files, certificates, publicHosts, now }: Deps): Check[] {
  if (!settings.settings.https) return [];
  const check = async () => {
    try {
      const tls = tlsOptions(settings, files, certificates);
      if (!tls) return ok('HTTPS is off.');
      await tryTls(tls, now);
      const certificate = await certificateOf(tls);
      const end = Date.parse(certificate?.validTo ?? '');
      const day = new Date(end).toISOString().slice(0, 10);
      const foreign = publicHosts.find((host) => certificate?.checkHost(host) === undefined);
      if (foreign)
        return warning(
          `It is not valid for ${foreign}: order one for that name and upload it in the settings.`,
        );
      return end - now < SOON_DAYS * DAY_MS
        ? warning(`It expires on ${day}: upload a new one in the settings in time.`)
        : ok(`It is valid until ${day}.`);
    } catch (refusal) {
      if (refusal instanceof Refusal) return error(`${refusal.message} Upload a valid one in the settings.`);
      throw refusal;
    }
  };
  return [{ name: 'Certificate', check }];
}
