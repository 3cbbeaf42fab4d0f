import type { Kapsule } from '@kaptain/contract/kapsules';
import { limits } from '@kaptain/contract/limits';
import type { Role } from '@kaptain/contract/vocabulary';
import { Button } from 'antd';
import { CutText } from '../../shared/CutText.tsx';
import styles from './KapsulesTable.module.css';

interface Props {
  kapsule: Kapsule;
  role: Role;
  onChange: (kapsule: Kapsule) => void;
}

/** The owner; an ADMIN clicks the name to change it. */
export function OwnerCell({ kapsule, role, onChange }: Props) {
  const { name, owner, ownerId } = kapsule;
  // Spec 9: the owner is cut at 18 characters.
  const text = <CutText text={owner} at={limits.ownerShownCharacters} />;
  // Another service sends no owner by id, and has no call to change it.
  if (role !== 'ADMIN' || typeof ownerId !== 'string') return text;
  return (
    <Button
      type="text"
      size="small"
      className={styles['owner'] ?? ''}
      // A cut name has a tooltip of its own.
      {...(owner.length <= limits.ownerShownCharacters && { title: 'Change owner' })}
      onClick={() => onChange(kapsule)}
    >
      <span className="visually-hidden">{`Change the owner of ${name}: `}</span>
      {text}
    </Button>
  );
}
