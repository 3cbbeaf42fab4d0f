import { useState } from 'react';

export interface Dialog<About> {
  /** What the dialog is about; still known while it closes. */
  about: About | undefined;
  isOpen: boolean;
  open: (about: About) => void;
  close: () => void;
  /** To be called when it has disappeared. */
  forget: () => void;
}

/** The state of a dialog that opens for one thing at a time. */
export function useDialog<About>(): Dialog<About> {
  const [about, setAbout] = useState<About>();
  const [isOpen, setOpen] = useState(false);
  return {
    about,
    isOpen,
    open(next) {
      setAbout(next);
      setOpen(true);
    },
    close: () => setOpen(false),
    forget: () => setAbout(undefined),
  };
}
