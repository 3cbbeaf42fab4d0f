import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors/app-error.ts';

/** The parser does not tell which keys it refuses from what is no JSON. */
function refusal(text: string): AppError {
  try {
    JSON.parse(text);
  } catch {
    return new AppError('BAD_JSON');
  }
  return new AppError(
    'BAD_JSON',
    'The body has the key __proto__ or constructor.prototype, which is not allowed.',
  );
}

/**
 * Accepts only JSON bodies, because any web page can send text/plain without a preflight. An empty body counts as
 * none: common clients send the content type even without a body.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Refuses the keys __proto__ and constructor, which would change prototypes when objects are merged.
  const parse = app.getDefaultJsonParser('error', 'error');
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    let text: string;
    try {
      text = utf8.decode(body as Buffer);
    } catch {
      return done(new AppError('BAD_JSON', 'The body is not valid UTF-8.'));
    }
    void parse(request, text, (error, value) => (error ? done(refusal(text)) : done(null, value)));
  });
}
