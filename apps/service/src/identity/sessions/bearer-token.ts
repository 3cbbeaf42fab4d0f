import type { FastifyRequest } from 'fastify';

const BEARER = /^Bearer +([\w-]{20,128})$/i;

/** The token of the authorization header; undefined when it has not the form of a token. */
export const bearerToken = ({ headers }: FastifyRequest): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1];
