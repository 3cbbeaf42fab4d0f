import { z } from 'zod';

export type Json = Record<string, unknown>;

const PLACE = '#/components/schemas/';

/** Turns schemas into JSON Schema as it travels; those with a name become references to one place. */
export class JsonSchemas {
  /** The named ones that were referred to. */
  readonly components: Record<string, unknown> = {};

  constructor(named: Record<string, z.ZodType>) {
    for (const [id, schema] of Object.entries(named))
      z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
  }

  of(schema: z.ZodType): Json {
    const made = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
    const { $schema: _, $defs = {}, ...rest } = JSON.parse(made.replaceAll('"#/$defs/', `"${PLACE}`)) as Json;
    for (const [name, { id: __, ...definition }] of Object.entries($defs as Record<string, Json>))
      this.components[name] = definition;
    return rest;
  }

  /** In the order of their names. */
  sorted(): Record<string, unknown> {
    return Object.fromEntries(Object.entries(this.components).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
