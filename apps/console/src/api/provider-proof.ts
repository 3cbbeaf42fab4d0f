import { session } from '@kaptain/contract/session';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { openWindow } from '../shared/open-window.ts';
import { service } from './service.ts';

const calls = service({ session }).session;

type BegunProof = Awaited<ReturnType<typeof calls.startProof>>;

/** The window after the sign-in posts to this channel; it works also when the provider cuts windows off from each other. */
const CHANNEL = 'kaptain.proof';

const codeIn = (data: unknown, flow: string): string | undefined => {
  const message = (typeof data === 'object' && data !== null ? data : {}) as {
    flow?: unknown;
    code?: unknown;
  };
  return message.flow === flow && typeof message.code === 'string' ? message.code : undefined;
};

/** A new proof of identity at the provider, in a window of its own: this page keeps what was entered in it. */
export function useProviderProof(onProven: () => void) {
  const [begun, setBegun] = useState<BegunProof>();
  const [isBlocked, setBlocked] = useState(false);
  const start = useMutation({ mutationFn: () => calls.startProof(), gcTime: 0 });
  const finish = useMutation({
    mutationFn: (body: { code: string; verifier: string }) => calls.finishProof({ body }),
    onSuccess: onProven,
    gcTime: 0,
  });
  const { mutate: finishWith } = finish;

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
      finish.reset();
      start.mutate(undefined, {
        onSuccess: (flow) => {
          setBegun(flow);
          opened?.location.replace(flow.url);
        },
        onError: () => opened?.close(),
      });
    },
    /** Set while the window is open. */
    isWaiting: begun !== undefined,
    /** Of a browser that has blocked the window: a link that the user opens. */
    link: isBlocked ? begun?.url : undefined,
    isPending: start.isPending || finish.isPending,
    error: start.error ?? finish.error,
  };
}
