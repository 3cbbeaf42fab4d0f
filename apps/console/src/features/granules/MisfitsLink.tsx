import { WarningOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useNavigate } from 'react-router';
import { useMisfits } from '../../api/misfits.ts';

/** The service reads all granules to find them; with more than these, only when a person asks for it. */
const LOOKED_THROUGH = 20_000;
const all = { field: '', rule: '', q: '' };
const format = (value: number) => value.toLocaleString('en-US');

/** Leads to the values that do not fit: when there are some, or when the kapsule is too large to be looked through unasked. */
export function MisfitsLink({ kapsuleId, total }: { kapsuleId: string; total: number }) {
  const navigate = useNavigate();
  const isLarge = total > LOOKED_THROUGH;
  const { data } = useMisfits(kapsuleId, all, { enabled: total > 0 && !isLarge });
  if (!isLarge && !data?.count) return null;
  const count = data?.count ?? 0;
  return (
    <Button
      type="text"
      size="small"
      icon={<WarningOutlined aria-hidden="true" />}
      onClick={() => void navigate(`/data/kapsules/${encodeURIComponent(kapsuleId)}/misfits`)}
    >
      {isLarge
        ? 'Values that do not fit'
        : `${format(count)} ${count === 1 ? 'value does' : 'values do'} not fit`}
    </Button>
  );
}
