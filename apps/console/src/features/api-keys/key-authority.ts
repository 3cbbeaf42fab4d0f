import type { ApiKey } from '@kaptain/contract/api-keys';
import type { Authority } from '@kaptain/contract/vocabulary';
import type { NewApiKey } from '../../api/api-keys.ts';
import type { Words } from '../../variants/variant.ts';

const effects: Record<Authority, string> = {
  READ: 'Read',
  WRITE: 'Read and write',
  DELETE: 'Read, write and delete',
};

/** What a key may do, by its effect. A service without WRITE has no keys that only read. */
export const effectsFor = ({ granule }: Words, authorities: readonly Authority[]) => {
  const offered: Authority[] = authorities.includes('WRITE')
    ? ['READ', 'WRITE', 'DELETE']
    : ['WRITE', 'DELETE'];
  return offered.map((value) => ({ value, label: `${effects[value]} ${granule.many}` }));
};

/** What is sent of it: services without WRITE know only whether a key may delete. */
export const rightOf = (
  authority: Authority,
  authorities: readonly Authority[],
): Pick<NewApiKey, 'authority' | 'mayDelete'> => {
  if (authorities.includes('WRITE')) return { authority };
  return authority === 'DELETE' ? { mayDelete: true } : {};
};

const most: Record<Authority, string> = { READ: 'Read', WRITE: 'Write', DELETE: 'Delete' };

/** The most that a listed key may do. */
export const mayOf = ({ authority, mayDelete }: ApiKey): string =>
  most[authority ?? (mayDelete ? 'DELETE' : 'WRITE')];
