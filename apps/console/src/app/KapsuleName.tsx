import { useKapsule } from '../api/kapsules.ts';

/** The name of a kapsule, once it is known. */
export function KapsuleName({ id, otherwise }: { id: string; otherwise: string }) {
  return useKapsule(id).data?.name ?? otherwise;
}
