import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DataSourceError } from '../errors.ts';
import { openDataSource } from '../open.ts';
import {
  fakeServer,
  MYSQL_LOCAL_FILES,
  mysqlFileRequest,
  mysqlGreeting,
  mysqlOk,
  mysqlPrepared,
  tdsError,
  tdsPrelogin,
  tnsRefuse,
} from '../testing/fake-servers.ts';
import { encryptionIn } from './mssql-encryption.ts';

/*
 * Fake servers, because the tests have no SQL Server and no Oracle: they prove only how refusals are reported.
 * The fake MySQL behaves as a hostile server would.
 */

const SECRET = 'canary_5521';
type Answers = Parameters<typeof fakeServer>[0];

/** Only a server that never answers is waited for in vain. */
const connectMsOf = (answers: Answers | 'no server'): number => (answers.length === 0 ? 1_000 : 60_000);

async function failure(
  type: 'mssql' | 'oracle',
  block: object,
  answers: Answers | 'no server',
): Promise<{ error: DataSourceError; sent: Buffer }> {
  await using server = await fakeServer(answers === 'no server' ? [] : answers);
  const port = answers === 'no server' ? 1 : server.port;
  const common =
    type === 'mssql'
      ? { MSSQL_SERVER: '127.0.0.1', MSSQL_PORT: port, MSSQL_USER: 'sa', MSSQL_PASSWORD: SECRET }
      : {
          ORACLE_SERVER: '127.0.0.1',
          ORACLE_PORT: port,
          ORACLE_LIB: 'thin',
          ORACLE_USER: 'scott',
          ORACLE_PASSWORD: SECRET,
          ORACLE_DATABASE: 'XEPDB1',
        };
  const limits = { allowedFolders: [], connectMs: connectMsOf(answers) };
  const source = openDataSource(type, { ...common, ...block }, limits);
  const error = await source.ping().catch((reason: unknown) => reason);
  await source.close();
  expect(error).toBeInstanceOf(DataSourceError);
  expect((error as Error).message).not.toMatch(new RegExp(`${SECRET}|127\\.0\\.0\\.1|scott`));
  return { error: error as DataSourceError, sent: server.received() };
}

describe('a fake SQL Server', () => {
  test.each<[string, string, Answers | 'no server', object]>([
    ['that does not exist', 'refused', 'no server', {}],
    ['that refuses the login', 'login', [tdsPrelogin(2), tdsError(18456, `Login failed for user 'sa'.`)], {}],
    [
      'that does not know the database',
      'login',
      [tdsPrelogin(2), tdsError(4060, 'Cannot open database')],
      {},
    ],
    ['that never answers', 'timeout', [], {}],
    ['that closes the connection', 'refused', ['close'], {}],
    ['that requires TLS when the settings do not', 'tls', [tdsPrelogin(3)], {}],
    ['that has no TLS when the settings ask for it', 'tls', [tdsPrelogin(2)], { SQL_ENCRYPT: true }],
    ['that has no TLS when an option asks for it', 'tls', [tdsPrelogin(0)], { OPTIONS: { encrypt: true } }],
  ])('%s is %s', async (_, category, answers, block) => {
    const { error } = await failure('mssql', block, answers);
    expect(error).toMatchObject({ category, message: expect.stringMatching(/^SQL Server: /) });
  });

  test('gets no login in clear text when the settings ask for TLS', async () => {
    const { sent } = await failure('mssql', { SQL_ENCRYPT: true }, [tdsPrelogin(2)]);
    // Packet type 16 is the login, which carries the password.
    expect([sent[0], sent.subarray(8).includes(Buffer.from('sa', 'utf16le'))]).toEqual([0x12, false]);
    expect(encryptionIn(tdsPrelogin(3))).toBe(3);
    expect(encryptionIn(Buffer.alloc(3))).toBeUndefined();
  });
});

describe('a fake Oracle', () => {
  test.each<[string, string, Answers | 'no server', object]>([
    ['that does not exist', 'refused', 'no server', {}],
    ['whose listener does not know the service', 'login', [tnsRefuse(12514)], {}],
    ['whose listener refuses', 'refused', [tnsRefuse(12528)], {}],
    ['that never answers', 'timeout', [], {}],
    ['that closes the connection', 'refused', ['close'], {}],
    [
      'whose library lies outside the allowed folders',
      'driver',
      'no server',
      { ORACLE_LIB: import.meta.dirname },
    ],
    ['whose database name is invalid', 'login', 'no server', { ORACLE_DATABASE: 'x)(HOST=evil' }],
  ])('%s is %s', async (_, category, answers, block) => {
    const { error } = await failure('oracle', block, answers);
    expect(error).toMatchObject({ category, message: expect.stringMatching(/^Oracle: /) });
  });
});

describe('a fake MySQL that answers with a request for a file of this machine', () => {
  test.each<[string, (path: string) => Buffer[]]>([
    ['a plain statement', (path) => [mysqlOk(2), mysqlFileRequest(path), mysqlOk(3)]],
    [
      'a prepared statement',
      (path) => [mysqlOk(2), mysqlOk(1), mysqlPrepared(), mysqlFileRequest(path), mysqlOk(3)],
    ],
  ])('to %s gets no byte of it, and the error says so', async (_, answers) => {
    const folder = mkdtempSync(join(tmpdir(), 'kaptain-infile-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'wanted.txt');
    writeFileSync(path, 'canary of a file');
    await using server = await fakeServer(answers(path), mysqlGreeting());
    const block = { MYSQL_SERVER: '127.0.0.1', MYSQL_PORT: server.port, MYSQL_USER: 'ann' };
    const source = openDataSource('mysql', block, { allowedFolders: [] });
    const error = await source.ping().catch((reason: unknown) => reason);
    await source.close();
    expect(error).toBeInstanceOf(DataSourceError);
    expect(error).toMatchObject({
      category: 'refused',
      message:
        'MySQL: The server asked for a file of this machine. It got nothing: please check which server this is.',
    });
    const sent = server.received();
    // The first packet has the client's capability flags.
    expect(sent.readUInt32LE(4) & MYSQL_LOCAL_FILES).toBe(0);
    expect(sent.includes('canary of a file')).toBe(false);
  });
});
