import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TestAnswer } from '../caller.ts';
import { document, type NamedOperation } from './operations.ts';

// Each check is used a few times: making it shorter would take longer than it saves.
const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } });
ajv.addSchema({ ...document, $id: 'document' });

/** A JSON pointer to a part of the document. */
const pointer = (...parts: string[]): string =>
  ['document#', ...parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))]
    .map((part) => encodeURI(part))
    .join('/');

/** The parts of an answer that the document does not declare; undefined when it declares all. */
export function undeclared(
  { path, method, responses }: NamedOperation,
  { status, headers, text, body }: TestAnswer,
): string | undefined {
  const declared = responses[String(status)];
  if (!declared) return `status ${status} ${body.code ?? ''}`;
  if (!declared.content) return text === '' ? undefined : `a body with ${status}`;
  const [type = ''] = String(headers['content-type']).split(';');
  if (!declared.content[type]) return `content type ${type} with ${status}`;
  if (status >= 400 && type === 'application/json' && !declared.description.split(', ').includes(body.code))
    return `code ${body.code}`;
  if (type !== 'application/json') return undefined;
  const { $ref } = declared.content[type].schema;
  const inAnswer = [
    'paths',
    path,
    method.toLowerCase(),
    'responses',
    String(status),
    'content',
    type,
    'schema',
  ];
  // Most answers are a named schema, as all errors are: its check is made once, not once for each of them.
  const validate = ajv.getSchema($ref ? `document${$ref}` : pointer(...inAnswer));
  if (!validate) return 'no schema';
  return validate(JSON.parse(text))
    ? undefined
    : `a body with ${status} that is not as declared: ${ajv.errorsText(validate.errors)}`;
}
