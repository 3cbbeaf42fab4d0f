import { createHash } from 'node:crypto';
import { type MemoryFile, memoryFile } from '../server/memory-file.ts';

export interface ReferenceScript {
  /** Changes with the content. */
  hash: string;
  file: MemoryFile;
}

/**
 * Scalar's API reference for browsers. Its package for Fastify has the script only behind a route, which a server of its own
 * serves here, once and without a port.
 */
export async function referenceScript(): Promise<ReferenceScript> {
  const [{ fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const server = fastify();
  await server.register(scalar, { routePrefix: '/docs', configuration: { url: '/docs/openapi.json' } });
  const { statusCode, rawPayload } = await server.inject('/docs/js/scalar.js');
  await server.close();
  if (statusCode !== 200) throw new Error(`Scalar's script is not where it was: ${statusCode}`);
  const hash = createHash('sha256').update(rawPayload).digest('hex').slice(0, 16);
  return { hash, file: memoryFile('reference.js', rawPayload, true) };
}
