import { type Given, generic, type Route } from '@kaptain/contract';
import { AppError } from '../../base/errors/app-error.ts';

type Schema = NonNullable<Route['body']>;
type ErrorMap = NonNullable<NonNullable<Parameters<Schema['safeParse']>[1]>['error']>;

/** The generic messages of SPEC 5, for rules whose schema has no message of its own. */
const inPlainWords: ErrorMap = (issue) => {
  const label = issue.path?.join('.') || 'The body';
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return generic('required', { label });
    if (issue.expected === 'number' || issue.expected === 'int') return generic('number', { label });
  }
  if (issue.code === 'too_big' && issue.origin === 'array')
    return `${label} may have at most ${issue.maximum} entries.`;
  return `${label} is not valid.`;
};

/** Parses a value by its schema; throws BAD_INPUT with a message for the user. */
export function check(schema: Schema | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value, { error: inPlainWords });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const isLong = issue?.code === 'too_big' && ['array', 'object'].includes(issue.origin);
  const details = issue && issue.path.length > 0 ? { details: { field: issue.path.join('.') } } : {};
  throw new AppError(isLong ? 'TOO_LARGE' : 'BAD_INPUT', issue?.message, details);
}

/** The input of a call, validated; properties that the contract does not declare are dropped. */
export const validate = (
  route: Route,
  request: { params: unknown; query: unknown; body: unknown },
): Given<Route> => ({
  params: check(route.params, request.params) as Given<Route>['params'],
  query: check(route.query, request.query) as Given<Route>['query'],
  body: check(route.body, request.body),
});
