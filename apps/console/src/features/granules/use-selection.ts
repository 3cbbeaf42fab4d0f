import { useState } from 'react';

export interface Selection {
  ids: readonly string[];
  /** All matching granules on all pages are selected; `ids` has those of the visited pages. */
  isAllMatching: boolean;
  select: (ids: readonly string[]) => void;
  selectAllMatching: () => void;
  clear: () => void;
}

const none = { ids: [] as readonly string[], isAllMatching: false };

/** The selection across pages; another filter or search (the scope) clears it. */
export function useSelection(scope: string): Selection {
  const [kept, keep] = useState({ scope, ...none });
  const { ids, isAllMatching } = kept.scope === scope ? kept : none;
  return {
    ids,
    isAllMatching,
    select: (next) => keep({ scope, ids: next, isAllMatching: false }),
    selectAllMatching: () => keep({ scope, ids, isAllMatching: true }),
    clear: () => keep({ scope, ...none }),
  };
}
