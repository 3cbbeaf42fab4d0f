/** The part of JSON Schema that the contract's documents use. */
export interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  $ref?: string;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
}

const quoted = (value: unknown): string => JSON.stringify(value);

/** The limits of a value as text, e.g. ` (1–255 characters)`. */
function limitsOf(schema: JsonSchema): string {
  const range = (low: number | undefined, high: number | undefined, what: string) => {
    const isBounded = high !== undefined && high < Number.MAX_SAFE_INTEGER;
    if (low === undefined && !isBounded) return undefined;
    return `${low ?? 0}${isBounded ? `–${high}` : ' or more'}${what}`;
  };
  const min = schema.minimum === Number.MIN_SAFE_INTEGER ? undefined : schema.minimum;
  const notes = [
    range(schema.minLength, schema.maxLength, ' characters'),
    range(min, schema.maximum, ''),
    schema.maxItems === undefined ? undefined : `at most ${schema.maxItems}`,
    schema.default === undefined ? undefined : `default ${quoted(schema.default)}`,
  ].filter((note) => note !== undefined);
  return notes.length > 0 ? ` (${notes.join(', ')})` : '';
}

function objectText(schema: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(schema.properties ?? {}).map(
    ([name, part]) =>
      `${inner}${name}${schema.required?.includes(name) ? '' : '?'}: ${schemaText(part, inner)}`,
  );
  const { additionalProperties: more } = schema;
  if (lines.length === 0)
    return typeof more === 'object' ? `{ [name]: ${schemaText(more, indent)} }` : '{ … }';
  return ['{', ...lines, `${indent}}`].join('\n');
}

/** A schema in the notation of a type, with its limits. */
export function schemaText(schema: JsonSchema, indent = ''): string {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives)
    return alternatives.map((part) => schemaText(part, indent)).join(' | ') + limitsOf(schema);
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.const !== undefined) return quoted(schema.const);
  if (schema.enum) return schema.enum.map(quoted).join(' | ') + limitsOf(schema);
  if (schema.type === 'object') return objectText(schema, indent);
  if (schema.type === 'array') return `${schemaText(schema.items ?? {}, indent)}[]${limitsOf(schema)}`;
  const type = schema.type === undefined ? 'anything' : [schema.type].flat().join(' | ');
  return type + limitsOf(schema);
}
