import { DEFAULT_DATABASE, type KapsuleStructure } from '@kaptain/contract';
import { foldName } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';

const refuse = (message: string) => new AppError('BAD_INPUT', message);

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_$]*$/u;
const LONGEST_IDENTIFIER_BYTES = 63;
/** Tables of databases and of this service: nobody may read users or sessions through a kapsule. */
const INTERNAL =
  /^(sqlite_.*|pg_.*|sys.*|information_schema|mysql|kaptain(_.*)?|users?|groups?|kapsules?|api_?keys?|sessions?|tickets?|jobs?|audit.*|instance|settings?|granules?.*)$/i;

/** The same for every way a kapsule comes into being: the table it is bound to is a plain name of its own. */
function requireOwnTable(tableName: string): void {
  if (tableName === DEFAULT_DATABASE) return;
  if (!IDENTIFIER.test(tableName) || Buffer.byteLength(tableName) > LONGEST_IDENTIFIER_BYTES)
    throw refuse(
      `The table name ${JSON.stringify(tableName)} is not allowed: use letters, digits and _ only.`,
    );
  if (INTERNAL.test(tableName))
    throw refuse(`The table ${tableName} belongs to the database or to this service.`);
}

/** Case makes no difference here, because it makes none in most databases and in the QVD import. */
export function requireDistinctFields(fields: KapsuleStructure['fields']): void {
  const seen = new Set<string>();
  for (const { name } of fields) {
    const key = foldName(name);
    if (key === '') throw refuse('Please use visible characters in the names of fields!');
    if (seen.has(key)) throw refuse(`The field ${name} is there more than once.`);
    seen.add(key);
  }
}

/** What no schema can say about a new kapsule. */
export function requireSound(structure: KapsuleStructure): void {
  if (foldName(structure.name) === '') throw refuse('Please use visible characters in the name!');
  requireDistinctFields(structure.fields);
  requireOwnTable(structure.tableName);
}
