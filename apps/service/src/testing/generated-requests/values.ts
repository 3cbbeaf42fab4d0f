import * as fc from 'fast-check';
import { document, type Schema } from './operations.ts';

const named = (reference: string): Schema =>
  document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {};

/** Fields with an id or a list of ids. */
const ID = /(^id|Id|userid|kapsulecode)s?$/;
const MOST_CHARACTERS = 40;
const MOST_ITEMS = 3;

/** Made once: making one takes longer than drawing from it. */
const known = new Map<string, fc.Arbitrary<string>>();
function matching(pattern: string): fc.Arbitrary<string> {
  const found = known.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'));
  known.set(pattern, found);
  return found;
}

function strings({ pattern, format, minLength = 0, maxLength = MOST_CHARACTERS }: Schema) {
  if (pattern) return matching(pattern).map((text) => text.slice(0, maxLength));
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + MOST_CHARACTERS) });
}

function objects(schema: Schema, ids: readonly string[]): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const parts = Object.entries(properties).map(([name, part]) => [name, valuesOf(part, ids, name)] as const);
  return fc.record(Object.fromEntries(parts), { requiredKeys: required });
}

/** Values that a schema allows; ids are mostly those of existing objects. */
export function valuesOf(schema: Schema, ids: readonly string[], name = ''): fc.Arbitrary<unknown> {
  if (schema.$ref) return valuesOf(named(schema.$ref), ids, name);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return fc.oneof(...alternatives.map((part) => valuesOf(part, ids, name)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => valuesOf({ ...schema, type }, ids, name)));
  switch (schema.type) {
    case 'string':
      return ID.test(name) ? fc.constantFrom(...ids) : strings(schema);
    case 'integer':
    case 'number':
      return fc.integer({
        min: Math.max(schema.minimum ?? 0, -(2 ** 31)),
        max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1),
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const [minLength, most] = [schema.minItems ?? 0, schema.maxItems ?? MOST_ITEMS];
      const maxLength = Math.max(minLength, Math.min(most, MOST_ITEMS));
      return fc.array(valuesOf(schema.items ?? {}, ids, name), { minLength, maxLength });
    }
    case 'object':
      return objects(schema, ids);
    case undefined:
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** An arbitrary value of any type. */
export const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('', '\0', '\ud800', 'x'.repeat(3000), -1, 1e21, null, [], {}, '../..', "' OR 1=1 --"),
);
