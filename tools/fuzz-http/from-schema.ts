import { z } from 'zod';
import { hostileText } from './draft.ts';
import type { Random } from './random.ts';

interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  minItems?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  format?: string;
}

/** A value for a schema; patterns and finer rules may be violated. */
export function fromSchema(schema: Schema, random: Random): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) return fromSchema(random.pick(schema.anyOf), random);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name) || random.chance(0.6))
          .map(([name, inner]) => [name, fromSchema(inner, random)]),
      );
    case 'array': {
      const length = (schema.minItems ?? 0) + random.below(3);
      return Array.from({ length }, () => fromSchema(schema.items ?? {}, random));
    }
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 100 } = schema;
      return random.pick([minimum, maximum, minimum - 1, maximum + 1, 1, 2]);
    }
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case undefined:
    default:
      if (schema.format === 'date-time') return new Date(random.below(2 ** 31) * 1000).toISOString();
      return random.pick([hostileText(random), 'a', 'comment', '1', 'key']);
  }
}

const known = new WeakMap<z.ZodType, Schema>();

export function schemaOf(type: z.ZodType): Schema {
  let schema = known.get(type);
  if (!schema) {
    schema = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema;
    known.set(type, schema);
  }
  return schema;
}
