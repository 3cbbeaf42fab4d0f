import type { Kapsule } from '@kaptain/contract/kapsules';
import { useState } from 'react';
import { copiedValues } from '../shared/kapsule-form/copied-values.ts';
import type { KapsuleValues } from '../shared/kapsule-form/kapsule-values.ts';
import { useKapsules } from './kapsules.ts';
import { useNewKapsule } from './use-new-kapsule.ts';

/** The data and actions of the dialog that copies the structure of a kapsule. */
export function useCopiedKapsule(kapsule: Kapsule) {
  const { data: known = [], isPending } = useKapsules();
  const [initialValues, setInitialValues] = useState<KapsuleValues>();
  // Once: a list that is loaded later does not change what is being edited.
  if (!initialValues && !isPending) setInitialValues(copiedValues(kapsule, known));
  const { databases, ...rest } = useNewKapsule();
  return { ...rest, initialValues, databases: [...new Set([...databases, kapsule.database])] };
}
