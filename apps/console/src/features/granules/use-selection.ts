import { useState } from 'react';

export interface Selection {
  ids: readonly string[];
  /** Everything that matches, on all pages; `ids` is what is seen of it. */
  isAllMatching: boolean;
  select: (ids: readonly string[]) => void;
  selectAllMatching: () => void;
  clear: () => void;
}

const none = { ids: [] as readonly string[], isAllMatching: false };

/** What is selected, across pages; another filter or search (the scope) starts anew. */
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
