import { api } from '@kaptain/contract';
import { openApiDocument } from '@kaptain/contract/openapi';

/** The part of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

type Content = Record<string, { schema: Schema }>;

interface Operation {
  operationId: string;
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface NamedOperation extends Operation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> };
}

/** The OpenAPI document as served. */
export const document = JSON.parse(
  JSON.stringify(openApiDocument(api, { version: '9.8.7' })),
) as unknown as Document;

export const operations: NamedOperation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    path,
    method: method.toUpperCase() as NamedOperation['method'],
  })),
);

export const contentOf = ({ requestBody }: Operation, type: string): Schema | undefined =>
  requestBody?.content[type]?.schema;
