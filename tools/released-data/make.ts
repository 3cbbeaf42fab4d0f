/** `npm run release:data`: stores the data of the present version, so that later versions can prove that they open it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BSON, MongoClient } from 'mongodb';
import packageJson from '../../package.json' with { type: 'json' };
import {
  openEmbeddedStore,
  openMongoStore,
  openPostgresStore,
  type Store,
  sealTrail,
} from '../../packages/store/src/index.ts';
import { contentOf } from '../../packages/store/src/testing/content.ts';
import { fillWithAll } from '../../packages/store/src/testing/one-of-each.ts';
import { runQuietly } from '../setup/children.mjs';
import { command, SetupError, say } from '../setup/project.mjs';
import { startMongodb } from '../test-servers/mongodb.ts';
import { startPostgres } from '../test-servers/postgres.ts';
import { findBinary } from '../test-servers/server-process.ts';
import { type Backend, folderOf, trailSecret } from './released.ts';
import { makeSettings } from './settings-sample.ts';

const { version } = packageJson;
const folder = folderOf(version);

function write(name: string, content: Buffer | string): void {
  writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
}

/** Fills a store, then reads it again as the tests will. */
async function fill(backend: Backend, open: () => Promise<Store>): Promise<void> {
  const sealed = sealTrail(await open(), trailSecret);
  await fillWithAll(sealed);
  await sealed.close();
  const store = await open();
  write(`${backend}.content.json`, JSON.stringify(await contentOf(store)));
  await store.close();
}

async function embedded(): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), 'kaptain-released-'));
  const file = join(temporary, 'kaptain.db');
  await fill('embedded', () => openEmbeddedStore({ file }));
  write('embedded.dump', readFileSync(file));
  rmSync(temporary, { recursive: true });
}

async function postgres(): Promise<void> {
  const program = findBinary(['pg_dump'], ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin']);
  if (program === undefined) throw new SetupError('The data of PostgreSQL needs the command pg_dump.');
  const server = await startPostgres();
  try {
    await fill('postgres', () => openPostgresStore(server.config));
    const args = ['--inserts', '--no-owner', `--dbname=${server.url}`];
    const { code, output } = await runQuietly(program, args);
    if (code !== 0) throw new SetupError(output);
    // Settings and commands of psql, which differ between versions of the program.
    const lines = output.split('\n').filter((line) => !/^(\\|--|SET |$)/.test(line));
    // Functions come before the tables that they use.
    write('postgres.dump', ['SET check_function_bodies = off;', ...lines].join('\n'));
  } finally {
    await server.stop();
  }
}

async function mongodb(): Promise<void> {
  const server = await startMongodb();
  const options = { ...server.config, database: 'released' };
  const client = new MongoClient(`mongodb://${options.host}:${options.port}/`);
  try {
    await fill('mongodb', () => openMongoStore(options));
    const collections = await client.db(options.database).collections();
    const dump = await Promise.all(
      collections.map(async (collection) => ({
        name: collection.collectionName,
        indexes: await collection.indexes(),
        documents: await collection.find().toArray(),
      })),
    );
    write('mongodb.dump', BSON.EJSON.stringify(dump));
  } finally {
    await client.close();
    await server.stop();
  }
}

await command(async () => {
  if (existsSync(folder) && !process.argv.includes('--again'))
    throw new SetupError(
      `The data of ${version} is there already. Before its release: npm run release:data -- --again`,
    );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const make of [embedded, postgres, mongodb]) await make();
  makeSettings(folder);
  say(`Made ${folder}. Commit it with the release.`);
  return 0;
});
