import { HistoryOutlined } from '@ant-design/icons';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { IconAction } from './IconAction.tsx';
import { useIsKnownPath } from './PageLink.tsx';

const AUDIT = '/system/audit';

/** A link to the audit entries of one object, if this user has the audit screen. */
export function useAuditLink(target: string, name: string): ReactElement | undefined {
  const isKnown = useIsKnownPath();
  const navigate = useNavigate();
  if (!isKnown(AUDIT)) return undefined;
  return (
    <IconAction
      title="Audit entries"
      label={`Audit entries of ${name}`}
      icon={<HistoryOutlined />}
      onClick={() => void navigate(`${AUDIT}?target=${encodeURIComponent(target)}`)}
    />
  );
}
