import { useEffect, useState } from 'react';
import { messageOf } from '../../../shared/message-of.ts';
import type { QvdPreview } from './preview-qvd.ts';

/** What is in a file, or why that can't be said; nothing while it is being read. */
export function usePreview(file: File): QvdPreview | string | undefined {
  const [preview, setPreview] = useState<QvdPreview | string>();
  useEffect(() => {
    const stop = new AbortController();
    const read = async () => {
      // The reader is needed only here, so it comes only now.
      const { previewQvd } = await import('./preview-qvd.ts');
      return previewQvd(file, stop.signal);
    };
    const show = async () => {
      const result = await read().catch(messageOf);
      if (!stop.signal.aborted) setPreview(result);
    };
    void show();
    return () => stop.abort();
  }, [file]);
  return preview;
}
