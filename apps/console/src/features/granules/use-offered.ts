import type { RuledField } from '@kaptain/contract/field-rules';
import { fieldTypeNamed } from '@kaptain/contract/fields';
import { useState } from 'react';
import { useChoicesFrom, usePeople } from '../../api/offered-values.ts';
import type { Offered } from '../../shared/fields/input-props.ts';
import { useScreenUser } from '../../shared/session-storage.ts';
import { useDebouncedText } from '../../shared/use-debounced-text.ts';

/** What is offered for a field whose values only the service knows; undefined for other fields. */
export function useOffered(kapsuleId: string, field: RuledField): Offered | undefined {
  const [q, setQ] = useState('');
  const [, onSearch] = useDebouncedText(q, setQ);
  const me = useScreenUser();
  const isPerson = fieldTypeNamed(field.type).enteredAs === 'person';
  const people = usePeople(kapsuleId, q, me?.role ?? 'USER', { enabled: isPerson });
  const values = useChoicesFrom(field.choicesFrom, q);
  if (!isPerson && !field.choicesFrom) return undefined;
  return { ...(isPerson ? people : values), onSearch };
}
