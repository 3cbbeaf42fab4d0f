import { z } from 'zod';
import { seal, unseal } from '../../base/secrets/sealing.ts';
import { hashToken, newToken } from '../../base/secrets/tokens.ts';
import { CLOCK_TOLERANCE_MS } from '../../base/time/clock.ts';
import type { UsedProvider } from './provider.ts';
import type { NewProof } from './provider-client.ts';
import { clientKeyOf } from './provider-tokens.ts';

export const CALLBACK_PATH = '/auth/provider/callback';

const LIFE_MS = 10 * 60_000;
const CONTEXT = 'state of a sign-in';

/** The own page at which the browser goes on, and the data that this page needs. */
const FlowTarget = z.discriminatedUnion('to', [
  z.object({ to: z.enum(['console', 'window', 'extension', 'choose']), query: z.string() }),
  z.object({ to: z.literal('test'), secret: z.string() }),
  z.object({ to: z.literal('proof'), sessionId: z.string() }),
]);
type FlowTarget = z.infer<typeof FlowTarget>;

const FlowState = z
  .object({
    redirectUri: z.string(),
    nonce: z.string(),
    verifier: z.string(),
    /** The client that began: its answer goes to no other provider. */
    client: z.string(),
    /** SHA-256 of a secret that stays in the browser: only that browser gets the session. */
    binding: z.string(),
    begunAt: z.number(),
  })
  .and(FlowTarget);
export type FlowState = z.infer<typeof FlowState>;
export type ProofFlow = Extract<FlowState, { to: 'proof' }>;

export interface BegunFlow {
  /** The page of the provider. */
  url: string;
  /** Stays in the browser that begins. */
  verifier: string;
  /** Names this flow to the windows of the browser. */
  flow: string;
}

/** Sign-ins under way. All their state is sealed in the state parameter, so any instance can finish them. */
export function createProviderFlows(key: () => Buffer, clock: () => number) {
  return {
    async begin(
      { client, settings }: UsedProvider,
      origin: string,
      target: FlowTarget,
      proof?: NewProof,
    ): Promise<BegunFlow> {
      const browserSecret = newToken();
      const flow: FlowState = {
        redirectUri: `${origin}${CALLBACK_PATH}`,
        nonce: newToken(),
        verifier: newToken(),
        ...target,
        client: clientKeyOf(settings),
        binding: hashToken(browserSecret),
        begunAt: clock(),
      };
      // Sealed: it can be neither read nor changed on its way through the provider and the browser.
      const state = seal(key(), CONTEXT, JSON.stringify(flow));
      const url = await client.authorizationUrl({ ...flow, state }, proof);
      return { url: url.href, verifier: browserSecret, flow: flow.binding };
    },
    /** Undefined when the state is not ours or too old. */
    open(state: string): FlowState | undefined {
      const text = unseal(key(), CONTEXT, state);
      if (text === undefined) return undefined;
      const { data: flow } = FlowState.safeParse(JSON.parse(text));
      if (!flow) return undefined;
      const age = clock() - flow.begunAt;
      return age < LIFE_MS && age >= -CLOCK_TOLERANCE_MS ? flow : undefined;
    },
  };
}
export type ProviderFlows = ReturnType<typeof createProviderFlows>;
