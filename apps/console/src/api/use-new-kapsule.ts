import type { Kapsule } from '@kaptain/contract/kapsules';
import { DEFAULT_DATABASE } from '@kaptain/contract/vocabulary';
import { failureOf } from '../shared/message-of.ts';
import { useChoiceSources } from './choice-sources.ts';
import { type NewKapsule, useCreateKapsule, useKapsules } from './kapsules.ts';
import { useConfiguredSources } from './settings.ts';

/** The data and actions of a dialog that creates a kapsule. */
export function useNewKapsule() {
  const create = useCreateKapsule();
  const { data: known = [] } = useKapsules();
  // A USER does not know the settings, but the databases of the kapsules they see.
  const configured = useConfiguredSources() ?? known.map(({ database }) => database);
  return {
    databases: [...new Set([DEFAULT_DATABASE, ...configured])],
    sources: useChoiceSources(),
    isSaving: create.isPending,
    failure: failureOf(create.error),
    onSave: (structure: NewKapsule, onSuccess: (made: Kapsule) => void) =>
      create.mutate(structure, { onSuccess }),
  };
}
