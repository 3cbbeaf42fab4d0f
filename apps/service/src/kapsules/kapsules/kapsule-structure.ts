import { type KapsuleStructure, limits } from '@kaptain/contract';
import { patternsProblem, rulesProblem } from '@kaptain/contract/field-rules';
import { foldName } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import { threadFieldsOf } from '../threads/stored-threads.ts';
import { requireVisibleName } from './free-name.ts';

const refuse = (message: string) => new AppError('BAD_INPUT', message);

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_$]*$/u;
const LONGEST_IDENTIFIER_BYTES = 63;
/** System tables of databases and tables of this service: a kapsule must not expose users or sessions. */
const INTERNAL =
  /^(sqlite_.*|pg_.*|sys.*|information_schema|mysql|kaptain(_.*)?|users?|groups?|kapsules?|api_?keys?|sessions?|tickets?|extension_?grants?|jobs?|audit.*|instance|settings?|granules?.*)$/i;

/** Every way to create a kapsule checks this: it is bound to a table with a plain name, and to no internal one. */
function requireAllowedTable(tableName: string): void {
  if (!IDENTIFIER.test(tableName) || Buffer.byteLength(tableName) > LONGEST_IDENTIFIER_BYTES)
    throw refuse(
      `The table name ${JSON.stringify(tableName)} is not allowed: use letters, digits, _ and $, no digit first, at most ${LONGEST_IDENTIFIER_BYTES} bytes.`,
    );
  if (INTERNAL.test(tableName))
    throw refuse(`The table ${tableName} belongs to the database or to this service.`);
}

/** Compared without case, width and invisible characters, as the QVD import does. */
export function requireDistinctFields(fields: KapsuleStructure['fields']): void {
  const seen = new Set<string>();
  for (const { name } of fields) {
    const key = foldName(name);
    if (key === '') throw refuse('Please use visible characters in the names of fields!');
    if (seen.has(key)) throw refuse(`The field ${name} is there more than once.`);
    seen.add(key);
  }
}

/** A rule that means nothing, e.g. a pattern that can't be read, is refused before values are. */
export function requireSoundRules({ fields }: Pick<KapsuleStructure, 'fields'>): void {
  const sources = fields.filter(({ choicesFrom }) => choicesFrom).length;
  if (sources > limits.choiceSourcesPerKapsule)
    throw refuse(
      `It has ${sources} fields with choices of another place, and may have at most ${limits.choiceSourcesPerKapsule}.`,
    );
  for (const field of fields) {
    const problem = rulesProblem(field, fields);
    if (problem !== undefined) throw refuse(`The field ${field.name}: ${problem}`);
  }
  const tooMany = patternsProblem(fields.flatMap(({ pattern }) => pattern || []));
  if (tooMany !== undefined) throw refuse(tooMany);
}

/** Each save reads and writes the threads of its rows. A structure that already has more keeps them. */
export function requireFewThreads(
  structure: Pick<KapsuleStructure, 'fields'>,
  before?: Pick<KapsuleStructure, 'fields'>,
): void {
  const most = Math.max(limits.threadFieldsPerKapsule, before ? threadFieldsOf(before).length : 0);
  const count = threadFieldsOf(structure).length;
  if (count > most)
    throw new AppError(
      'TOO_LARGE',
      `It has ${count} fields of the type thread, and may have at most ${most}.`,
      {
        details: { field: 'fields' },
      },
    );
}

/** A field in an audit entry: its name, its type and its rules. */
export function fieldText({
  name,
  type,
  ...rest
}: KapsuleStructure['fields'][number] & { _id?: string }): string {
  const { _id, ...rules } = rest;
  const isBare = Object.values(rules).every((rule) => rule === undefined);
  return `${name} (${type})${isBare ? '' : ` ${JSON.stringify(rules)}`}`;
}

/** The rules for a new kapsule that a schema can't express. */
export function requireSound(structure: KapsuleStructure): void {
  requireVisibleName(structure.name);
  requireDistinctFields(structure.fields);
  requireFewThreads(structure);
  requireSoundRules(structure);
  requireAllowedTable(structure.tableName);
}
