import { proposals, type StructureProposal } from '@kaptain/contract/proposals';
import { useEffect, useRef, useState } from 'react';
import { isSessionEnd, messageOf } from '../shared/message-of.ts';
import { fetchWithProgress } from './fetch-with-progress.ts';
import { service } from './service.ts';

export type Proposing =
  | { name: 'idle' }
  | { name: 'reading'; file: File; sent: number }
  | { name: 'proposed'; file: File; proposal: StructureProposal }
  | { name: 'failed'; failure: string };

/** Sends a file to the service, which proposes a structure for it and stores nothing. */
export function useQvdProposal(onProposed: (proposal: StructureProposal) => void) {
  const [state, setState] = useState<Proposing>({ name: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const propose = async (file: File) => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    const onProgress = (sent: number, total: number) =>
      setState({ name: 'reading', file, sent: total > 0 ? (sent / total) * file.size : 0 });
    setState({ name: 'reading', file, sent: 0 });
    try {
      const calls = service({ proposals }, fetchWithProgress(onProgress)).proposals;
      const proposal = await calls.fromQvd({ files: [file] }, { signal });
      if (signal.aborted) return;
      setState({ name: 'proposed', file, proposal });
      onProposed(proposal);
    } catch (error) {
      if (!signal.aborted)
        setState(isSessionEnd(error) ? { name: 'idle' } : { name: 'failed', failure: messageOf(error) });
    }
  };
  const forget = () => {
    running.current?.abort();
    setState({ name: 'idle' });
  };
  return { state, propose, forget };
}
