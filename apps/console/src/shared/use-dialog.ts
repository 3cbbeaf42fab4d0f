import { useState } from 'react';

export interface Dialog<About> {
  /** The object of the dialog; kept while the dialog closes. */
  about: About | undefined;
  isOpen: boolean;
  open: (about: About) => void;
  close: () => void;
  /** Call it when the dialog has disappeared. */
  forget: () => void;
}

/** The state of a dialog that opens for one object at a time. */
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
