import { useEffect, useRef, useState } from 'react';
import { loadCode } from '../../../api/load-code.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { QvdPreview, RefusedQvd } from './preview-qvd.ts';

/** The preview of a file, or the reason why there is none, which is a text when the file itself may be good. */
type Result = QvdPreview | RefusedQvd | string;
/** Undefined while the file is read. */
export type Preview = Result | undefined;

/** The previews of the chosen files, each read once. */
export function usePreviews(files: readonly File[]): (file: File) => Preview {
  const [previews, setPreviews] = useState<ReadonlyMap<File, Result>>(new Map());
  const begun = useRef(new Set<File>());
  const stop = useRef<AbortController>(undefined);

  useEffect(() => {
    const { signal } = (stop.current ??= new AbortController());
    const show = async (file: File) => {
      // The QVD reader is loaded on demand: only this dialog needs it.
      const read = async () => {
        const { previewQvd } = await loadCode('preview-qvd', () => import('./preview-qvd.ts'));
        return previewQvd(file, signal);
      };
      const result = await read().catch(messageOf);
      if (!signal.aborted) setPreviews((before) => new Map(before).set(file, result));
    };
    for (const file of files) {
      if (begun.current.has(file)) continue;
      begun.current.add(file);
      void show(file);
    }
  }, [files]);

  useEffect(
    () => () => {
      stop.current?.abort();
      stop.current = undefined;
      begun.current.clear();
    },
    [],
  );
  return (file) => previews.get(file);
}
