import { z } from 'zod';
import { json, route } from '../kit/route.ts';
import { idText, requiredText, timestamp } from '../kit/text.ts';
import { limits } from '../rules/limits.ts';
import { messages } from '../rules/messages.ts';
import { Authority, Success } from '../vocabulary.ts';

export const ApiKey = z.looseObject({
  _id: z.string(),
  name: z.string(),
  /** Masked by our service, also in the answer of `create`: the whole key is only in its body, and in the answer of `generate`. */
  apikey: z.string(),
  userName: z.string().nullish(),
  createdAt: timestamp.nullish(),
  lastUsedAt: timestamp.nullish(),
  /** Extra: from this time on it is refused; absent: it does not expire. */
  expiresAt: timestamp.nullish(),
  /** Extra: the only kapsules that it opens; absent: all of them. */
  kapsules: z.array(z.object({ _id: z.string(), name: z.string() })).nullish(),
  /** Extra: whether it may delete granules. */
  mayDelete: z.boolean().nullish(),
  /** Extra: READ reads, looks up and confirms reloads; WRITE also saves, reloads and creates; DELETE also deletes granules. */
  authority: Authority.nullish(),
});
export type ApiKey = z.infer<typeof ApiKey>;

const SHORTEST_KEY = 32;
const FEWEST_CHARACTERS = 8;

/** Few distinct characters, or the same ones again: such keys are easy to guess at any length. */
function isRepetitive(key: string): boolean {
  if (new Set(key).size < FEWEST_CHARACTERS) return true;
  for (let period = 1; period <= key.length / 2; period++) {
    if (key.startsWith(key.slice(period))) return true;
  }
  return false;
}

/** A typed or generated key. It is sent in a header, so only printable characters without spaces are allowed. */
const KeyText = requiredText(messages.apiKeyRequired, 512)
  .refine(
    (key) => key.length >= SHORTEST_KEY && /^[!-~]*$/.test(key),
    `Please use at least ${SHORTEST_KEY} letters, digits or signs without spaces as ApiKey!`,
  )
  .refine((key) => !isRepetitive(key), 'This ApiKey repeats itself too much, please generate one!');

export const apiKeys = {
  list: route({
    method: 'GET',
    path: '/api/privatekey/list',
    access: 'adminWithApiKeys',
    summary: 'All API keys, masked.',
    answer: json(z.array(ApiKey)),
  }),
  generate: route({
    method: 'GET',
    path: '/api/privatekey/get',
    access: 'adminWithApiKeys',
    summary: 'A new random key; nothing is stored.',
    answer: json(z.object({ apikey: z.string() })),
  }),
  create: route({
    method: 'POST',
    path: '/api/privatekey/create',
    access: 'adminWithApiKeys',
    proof: 'ifAsked',
    summary:
      'Store a key under a name; it may expire, be limited to chosen kapsules, and to reading or writing. Without `authority` it is WRITE, or DELETE with `mayDelete`.',
    body: z
      .object({
        name: requiredText(messages.apiKeyNameRequired),
        apikey: KeyText,
        expiresAt: z.iso.datetime().optional(),
        /** The only kapsules that the key opens; it can't create others then. */
        kapsuleIds: z.array(idText).min(1).max(limits.kapsulesPerApiKey).optional(),
        /** It may delete granules of these kapsules: the same as the authority DELETE. */
        mayDelete: z.boolean().optional(),
        authority: Authority.optional(),
      })
      .refine(
        ({ mayDelete, authority = 'DELETE' }) => mayDelete !== true || authority === 'DELETE',
        'A key that may delete has the authority DELETE.',
      ),
    answer: json(ApiKey),
    errors: ['CONFLICT', 'LIMIT_REACHED'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/api/privatekey/del/:id',
    access: 'adminWithApiKeys',
    proof: 'ifAsked',
    summary: 'Delete a key; it stops working at once.',
    params: z.object({ id: idText }),
    answer: json(Success),
  }),
};
