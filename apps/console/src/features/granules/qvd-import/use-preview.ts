import { useEffect, useState } from 'react';
import { loadCode } from '../../../api/load-code.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { QvdPreview } from './preview-qvd.ts';

/** The preview of a file, or the reason why there is none; undefined while the file is read. */
export function usePreview(file: File): QvdPreview | string | undefined {
  const [preview, setPreview] = useState<QvdPreview | string>();
  useEffect(() => {
    const stop = new AbortController();
    const read = async () => {
      // The QVD reader is loaded on demand: only this dialog needs it.
      const { previewQvd } = await loadCode('preview-qvd', () => import('./preview-qvd.ts'));
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
