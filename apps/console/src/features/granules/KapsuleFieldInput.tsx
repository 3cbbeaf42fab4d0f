import type { ComponentProps } from 'react';
import { FieldInput } from '../../shared/fields/FieldInput.tsx';
import { isOffered, useOffered } from './use-offered.ts';

interface Props extends Omit<ComponentProps<typeof FieldInput>, 'offered'> {
  kapsuleId: string;
}

function OfferedFieldInput({ kapsuleId, ...props }: Props) {
  return <FieldInput {...props} offered={useOffered(kapsuleId, props.field)} />;
}

/** The control of a field; only where the service knows the values, it is asked for them. */
export function KapsuleFieldInput({ kapsuleId, ...props }: Props) {
  return isOffered(props.field) ? (
    <OfferedFieldInput kapsuleId={kapsuleId} {...props} />
  ) : (
    <FieldInput {...props} />
  );
}
