import type { FastifyRequest } from 'fastify';

const BEARER = /^Bearer +([\w-]{20,128})$/i;

/** The token of the authorization header, when it could be one at all. */
export const bearerToken = ({ headers }: FastifyRequest): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1];
