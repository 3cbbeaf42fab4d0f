import type { FastifyReply, FastifyRequest } from 'fastify';

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>This link has expired</title></head>
<body><h1>This link has expired</h1><p>A download link works once and for one minute. Please go back and start the download again.</p></body>
</html>
`;

/** A browser that opens a used or expired link gets a page; never a redirect, which could lead to another site. */
export const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html');

export const sendExpiredPage = (reply: FastifyReply): FastifyReply =>
  reply.code(401).header('www-authenticate', 'Bearer').type('text/html; charset=utf-8').send(page);
