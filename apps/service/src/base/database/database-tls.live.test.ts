import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Certificate, makeCertificate } from '../../../../../tools/test-servers/certificates.ts';
import { hasOwnMongodb, startOwnMongodb } from '../../../../../tools/test-servers/mongodb.ts';
import { hasPostgres, startPostgres } from '../../../../../tools/test-servers/postgres.ts';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { runCommand } from '../../testing/run-command.ts';
import { onServer } from '../../testing/service-on.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const program = join(import.meta.dirname, '..', '..', 'kaptain.ts');

/** This computer, but not by a loopback address, for which certificates are not verified. */
const HOST = '0.0.0.0';
/** The same address under a name that no certificate has. */
const OTHER_NAME = '0';

const databases = [
  {
    name: 'PostgreSQL',
    isHere: isFullTest && hasPostgres(),
    async start(certificate: Certificate) {
      const server = await startPostgres({ certificate });
      return { server, env: onServer('postgres', server.config) };
    },
  },
  {
    name: 'MongoDB',
    isHere: isFullTest && hasOwnMongodb(),
    async start(certificate: Certificate) {
      const server = await startOwnMongodb({ certificate });
      return { server, env: onServer('mongodb', { ...server.config, database: 'tls' }) };
    },
  },
];

for (const database of databases) {
  describe.runIf(database.isHere)(`KAPTAIN_DB_USESSL with ${database.name}`, () => {
    let folder: ReturnType<typeof temporaryFolder>;
    let authority: string;
    let server: Awaited<ReturnType<typeof database.start>>;
    beforeAll(async () => {
      folder = temporaryFolder();
      const certificate = makeCertificate(folder.path, 'server', `IP:${HOST}`);
      authority = certificate.authority;
      server = await database.start(certificate);
    });
    afterAll(async () => {
      await server?.server.stop();
      folder[Symbol.dispose]();
    });

    /** The output of `npm run kaptain -- db check`, asked again while a busy machine exceeds its time limit. */
    const checked = (ask: () => Promise<string>) =>
      vi.waitFor(async () => {
        const said = await ask();
        expect(said).not.toContain('does not answer');
        return said.trimEnd();
      });
    const env = (change: Record<string, string>) => ({
      ...server.env,
      KAPTAIN_DATA_DIR: join(folder.path, 'data'),
      KAPTAIN_DB_USESSL: 'true',
      KAPTAIN_DB_HOST: HOST,
      ...change,
    });
    /** In a process of its own, which reads the trusted authorities when it starts. */
    const trusting = (change: Record<string, string> = {}) =>
      new Promise<string>((resolve) => {
        const all = { ...process.env, ...env(change), NODE_EXTRA_CA_CERTS: authority };
        execFile(process.execPath, [program, 'db', 'check'], { env: all }, (_, out, err) =>
          resolve(out + err),
        );
      });
    const notTrusting = async (change: Record<string, string> = {}) =>
      (await runCommand(['db', 'check'], env(change))).text;

    it('connects with a trusted certificate for this host, and prints one sentence otherwise', async () => {
      const answers = await Promise.all([
        checked(() => trusting()),
        checked(() => notTrusting()),
        checked(() => trusting({ KAPTAIN_DB_HOST: OTHER_NAME })),
        notTrusting({ KAPTAIN_DB_USESSL: 'false' }),
      ]);
      const refused = `No secure connection to the ${database.name} server`;
      expect(answers).toEqual([
        expect.stringMatching(new RegExp(`^The ${database.name} database .* can be used\\.$`)),
        expect.stringMatching(
          new RegExp(`^${refused}.*: its certificate is not trusted; .*NODE_EXTRA_CA_CERTS\\.$`),
        ),
        expect.stringMatching(new RegExp(`^${refused}.*: its certificate is for another name; [^\n]*\\.$`)),
        expect.not.stringContaining('can be used'),
      ]);
    });
  });
}
