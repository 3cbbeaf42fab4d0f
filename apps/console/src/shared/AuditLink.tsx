import { HistoryOutlined } from '@ant-design/icons';
import { useNavigate } from 'react-router';
import { IconAction } from './IconAction.tsx';
import { useIsKnownPath } from './PageLink.tsx';

const AUDIT = '/system/audit';

/** Leads to what was done to one thing, when there is a screen for it. */
export function AuditLink({ target, name }: { target: string; name: string }) {
  const isKnown = useIsKnownPath();
  const navigate = useNavigate();
  if (!isKnown(AUDIT)) return null;
  return (
    <IconAction
      title="Audit entries"
      label={`Audit entries of ${name}`}
      icon={<HistoryOutlined />}
      onClick={() => void navigate(`${AUDIT}?target=${encodeURIComponent(target)}`)}
    />
  );
}
