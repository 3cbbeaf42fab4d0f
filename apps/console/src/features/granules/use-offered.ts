import type { RuledField } from '@kaptain/contract/field-rules';
import { fieldTypeNamed } from '@kaptain/contract/fields';
import { useState } from 'react';
import { useChoicesFrom, usePeople } from '../../api/offered-values.ts';
import type { Offered } from '../../shared/fields/input-props.ts';
import { useScreenUser } from '../../shared/session-storage.ts';
import { useDebouncedText } from '../../shared/use-debounced-text.ts';

const isPerson = ({ type }: RuledField): boolean => fieldTypeNamed(type).enteredAs === 'person';

/** Whether only the service knows the values of a field. */
export const isOffered = (field: RuledField): boolean => isPerson(field) || field.choicesFrom !== undefined;

/** What is offered for such a field. */
export function useOffered(kapsuleId: string, field: RuledField): Offered {
  const [q, setQ] = useState('');
  const [, onSearch] = useDebouncedText(q, setQ);
  const me = useScreenUser();
  const people = usePeople(kapsuleId, q, me?.role ?? 'USER', { enabled: isPerson(field) });
  const values = useChoicesFrom(kapsuleId, field, q);
  return { ...(isPerson(field) ? people : values), onSearch };
}
