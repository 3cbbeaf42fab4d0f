import { ApiError } from '@kaptain/contract/client';
import { FactorMethod } from '@kaptain/contract/session';
import { askForProof, type ProofMethod, setMustSetUpFactor } from '../shared/identity.ts';

interface Refusal {
  code?: unknown;
  details?: { methods?: unknown };
}

const knownMethods: readonly ProofMethod[] = [...FactorMethod.options, 'signIn'];

const methodsOf = ({ details }: Refusal): ProofMethod[] => {
  const methods = Array.isArray(details?.methods) ? (details.methods as unknown[]) : [];
  return knownMethods.filter((method) => methods.includes(method));
};

/**
 * Sends a request. When the service wants to know again who the user is, it asks them and sends the request once more;
 * a user who cancels gets the refusal.
 */
export async function withProofOfIdentity(send: () => Promise<Response>): Promise<Response> {
  const response = await send();
  if (response.status !== 403) return response;
  const refusal = (await response
    .clone()
    .json()
    .catch(() => ({}))) as Refusal;
  if (refusal.code === 'SECOND_FACTOR_NEEDED') setMustSetUpFactor(true);
  if (refusal.code !== 'PROOF_NEEDED') return response;
  return (await askForProof(methodsOf(refusal))) ? send() : response;
}

/** Whether a call failed because the user did not prove their identity. */
export const isUnproven = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'PROOF_NEEDED';
