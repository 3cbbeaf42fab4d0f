import { granules } from '@kaptain/contract/granules';
import type { KapsuleChange } from '@kaptain/contract/kapsules';
import type { FieldsCheck } from '@kaptain/contract/misfits';
import { useMutation } from '@tanstack/react-query';
import { isUnknownCall } from './is-unknown-call.ts';
import { service } from './service.ts';

const calls = service({ granules }).granules;

/** The stored values that these fields would refuse; undefined where the service has no such check. */
async function checkFields(id: string, fields: KapsuleChange['fields']): Promise<FieldsCheck | undefined> {
  try {
    return await calls.checkFields({ params: { id }, body: { fields } });
  } catch (error) {
    if (isUnknownCall(error)) return undefined;
    throw error;
  }
}

export function useCheckFields(id: string) {
  return useMutation({ mutationFn: (fields: KapsuleChange['fields']) => checkFields(id, fields) });
}
