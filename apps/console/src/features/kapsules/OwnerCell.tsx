import type { Kapsule } from '@kaptain/contract/kapsules';
import { limits } from '@kaptain/contract/limits';
import type { Role } from '@kaptain/contract/vocabulary';
import { Button } from 'antd';
import { CutText, cutAt } from '../../shared/CutText.tsx';
import { Hint } from '../../shared/Hint.tsx';
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
  const at = limits.ownerShownCharacters;
  // Another service sends no owner by id, and has no call to change it.
  if (role !== 'ADMIN' || typeof ownerId !== 'string') return <CutText text={owner} at={at} />;
  const shown = cutAt(owner, at);
  return (
    <Hint title={shown === owner ? 'Change owner' : owner} isName={shown === owner}>
      <Button type="text" size="small" className={styles['owner'] ?? ''} onClick={() => onChange(kapsule)}>
        <span className="visually-hidden">{`Change the owner of ${name}: `}</span>
        {shown}
      </Button>
    </Hint>
  );
}
