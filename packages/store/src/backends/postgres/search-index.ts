import { codeOf } from './driver-errors.ts';
import { quoted } from './noun-tables.ts';
import type { Session } from './session.ts';

/** No right to create the extension, or a server that does not come with it. */
const NOT_TO_BE_HAD = new Set(['42501', '0A000', '58P01', '42704', '3F000']);

/**
 * Trigrams make the search quick; without the extension it looks at every row and finds the same. Asked at every
 * start, because the extension may come later; says whether there is an index now.
 */
export async function buildSearchIndex(session: Session): Promise<boolean> {
  if (await session.get(`SELECT 1 FROM pg_class WHERE oid = to_regclass('kapsule_data.granule_trigrams')`))
    return true;
  const schema = (await schemaOfTrigrams(session)) ?? (await createTrigrams(session));
  if (schema === undefined) return false;
  await session.exec(`
    SET LOCAL maintenance_work_mem = '256MB';
    CREATE INDEX granule_trigrams ON kapsule_data.granule_search USING gin (search ${quoted(schema)}.gin_trgm_ops)`);
  return true;
}

async function schemaOfTrigrams(session: Session): Promise<string | undefined> {
  const row = await session.get<{ schema: string }>(`
    SELECT nspname AS schema FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'pg_trgm'`);
  return row?.schema;
}

async function createTrigrams(session: Session): Promise<string | undefined> {
  try {
    await session.step(() => session.exec('CREATE EXTENSION pg_trgm SCHEMA kaptain'));
    return 'kaptain';
  } catch (error) {
    if (NOT_TO_BE_HAD.has(codeOf(error))) return undefined;
    throw error;
  }
}
