import { z } from 'zod';
import { json, route } from '../kit/route.ts';
import { requiredText } from '../kit/text.ts';

export const downloads = {
  ticket: route({
    method: 'POST',
    path: '/api/download/ticket',
    access: 'loggedIn',
    summary: 'A one-time address for a download by browser navigation, which cannot carry the bearer header.',
    extra: true,
    body: z.object({ path: requiredText('Which download?', 2000) }),
    answer: json(z.object({ url: z.string() })),
    // A download that asks for a proof gets no ticket without it.
    errors: ['PROOF_NEEDED', 'TOO_MANY_REQUESTS'],
  }),
};
