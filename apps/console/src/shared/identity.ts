import type { FactorMethod } from '@kaptain/contract/session';
import { useSyncExternalStore } from 'react';

/** How a user may show who they are; the service names the methods. */
export type ProofMethod = FactorMethod | 'signIn';

interface Question {
  methods: readonly ProofMethod[];
  answer: (isProven: boolean) => void;
}

let question: Question | undefined;
let asked: Promise<boolean> | undefined;
let mustSetUp = false;
const listeners = new Set<() => void>();
const changed = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Asks the user to confirm who they are; calls that need it at the same time share one question. */
export function askForProof(methods: readonly ProofMethod[]): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    const own: Question = {
      methods,
      answer(isProven) {
        // The first answer counts.
        if (question !== own) return;
        question = undefined;
        asked = undefined;
        changed();
        resolve(isProven);
      },
    };
    question = own;
    changed();
  });
  return asked;
}

export const useProofQuestion = (): Question | undefined => useSyncExternalStore(subscribe, () => question);

/** Set when the service refuses calls until the user has a second factor. */
export function setMustSetUpFactor(value: boolean): void {
  if (mustSetUp === value) return;
  mustSetUp = value;
  changed();
}

export const useMustSetUpFactor = (): boolean => useSyncExternalStore(subscribe, () => mustSetUp);
