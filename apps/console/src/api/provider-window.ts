import { session } from '@kaptain/contract/session';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { openWindow } from '../shared/open-window.ts';
import { service } from './service.ts';
import { enter } from './session.ts';

const calls = service({ session }).session;

type BegunFlow = Awaited<ReturnType<typeof calls.startProof>>;
interface PickUp {
  code: string;
  verifier: string;
}

/** The window after the sign-in posts to this channel; it works also when the provider cuts windows off from each other. */
const CHANNEL = 'kaptain.provider';

const codeIn = (data: unknown, flow: string): string | undefined => {
  const message = (typeof data === 'object' && data !== null ? data : {}) as {
    flow?: unknown;
    code?: unknown;
  };
  return message.flow === flow && typeof message.code === 'string' ? message.code : undefined;
};

interface ProviderWindow {
  begin: () => void;
  /** From the start of the flow until its code arrives; also when the window was blocked or closed. */
  isWaiting: boolean;
  /** Of a browser that has blocked the window: a link that the user opens. */
  link: string | undefined;
  isPending: boolean;
  error: Error | null;
}

/** A sign-in at the provider in a window of its own: this page keeps what was entered in it. */
function useProviderWindow<T>(
  start: () => Promise<BegunFlow>,
  finish: (given: PickUp) => Promise<T>,
  onDone: (answer: T) => void,
): ProviderWindow {
  const [begun, setBegun] = useState<BegunFlow>();
  const [isBlocked, setBlocked] = useState(false);
  const starting = useMutation({ mutationFn: start, gcTime: 0 });
  const finishing = useMutation({ mutationFn: finish, onSuccess: onDone, gcTime: 0 });
  const { mutate: finishWith } = finishing;

  useEffect(() => {
    if (!begun) return;
    const channel = new BroadcastChannel(CHANNEL);
    channel.addEventListener('message', ({ data }) => {
      const code = codeIn(data, begun.flow);
      if (code === undefined) return;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has no target; it stays in this origin.
      channel.postMessage({ taken: begun.flow });
      setBegun(undefined);
      finishWith({ code, verifier: begun.verifier });
    });
    return () => channel.close();
  }, [begun, finishWith]);

  return {
    begin() {
      const opened = openWindow('popup,width=520,height=720');
      setBlocked(!opened);
      finishing.reset();
      starting.mutate(undefined, {
        onSuccess: (flow) => {
          setBegun(flow);
          opened?.location.replace(flow.url);
        },
        onError: () => opened?.close(),
      });
    },
    isWaiting: begun !== undefined,
    link: isBlocked ? begun?.url : undefined,
    isPending: starting.isPending || finishing.isPending,
    error: starting.error ?? finishing.error,
  };
}

/** A new proof of identity before a sensitive action. */
export const useProviderProof = (onProven: () => void): ProviderWindow =>
  useProviderWindow(
    () => calls.startProof(),
    (body) => calls.finishProof({ body }),
    onProven,
  );

/** The login of a user whose session has ended; a redirect would discard the page that waits for them. */
export const useProviderReturn = (): ProviderWindow =>
  useProviderWindow(
    () => calls.startProvider({ body: { to: 'window' } }),
    (body) => calls.finishProvider({ body }),
    enter,
  );
