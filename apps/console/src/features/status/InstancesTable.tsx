import { ExclamationCircleFilled } from '@ant-design/icons';
import type { ServiceInstance } from '@kaptain/contract/service-instance';
import { Tag } from 'antd';
import { CellText } from '../../shared/CellText.tsx';
import { byNumber, byText, type Column, DataTable } from '../../shared/DataTable.tsx';
import { Hint } from '../../shared/Hint.tsx';
import { TIME_WIDTH, TimeText } from '../../shared/TimeText.tsx';
import { useTable } from '../../shared/use-table.ts';
import { isListWorthy, type Newest, newestOf, stateOf } from './instance-state.ts';
import styles from './Status.module.css';

/** A value that differs from that of the newest instance: marked by more than a colour. */
function Compared({ value, newest }: { value: string | number; newest: string | number }) {
  if (value === newest) return value;
  return (
    <strong className={styles['differs']}>
      <ExclamationCircleFilled aria-hidden /> {value}
      <span className="visually-hidden"> (differs)</span>
    </strong>
  );
}

function StateTag({ instance, newest }: { instance: ServiceInstance; newest: Newest }) {
  const { label, color, reason } = stateOf(instance, newest);
  if (reason === undefined) return <Tag color={color}>{label}</Tag>;
  return (
    <Hint title={reason}>
      <Tag color={color} tabIndex={0}>
        {label}
      </Tag>
    </Hint>
  );
}

const columnsFor = (newest: Newest): Column<ServiceInstance>[] => [
  {
    key: 'name',
    title: 'Instance',
    width: 180,
    grows: 1,
    isFixed: true,
    sorter: byText(({ name }) => name),
    render: (_, { name, isThis }) => (
      <CellText>
        <code>{name}</code>
        {isThis && <span className={styles['this']}> (answers you)</span>}
      </CellText>
    ),
  },
  {
    key: 'version',
    title: 'Version',
    width: 120,
    leaveOut: 2,
    sorter: byText(({ version }) => version),
    render: (_, { version }) => <Compared value={version} newest={newest.version} />,
  },
  {
    key: 'generation',
    title: 'Settings',
    width: 110,
    align: 'right',
    leaveOut: 1,
    sorter: byNumber(({ generation }) => generation),
    render: (_, { generation }) => <Compared value={generation} newest={newest.generation} />,
  },
  {
    key: 'since',
    title: 'Running since',
    width: TIME_WIDTH,
    leaveOut: 4,
    sorter: byText(({ since }) => since),
    render: (_, { since }) => <TimeText value={since} />,
  },
  {
    key: 'seenAt',
    title: 'Last seen',
    width: TIME_WIDTH,
    leaveOut: 3,
    sorter: byText(({ seenAt }) => seenAt),
    render: (_, { seenAt }) => <TimeText value={seenAt} />,
  },
  {
    key: 'state',
    title: 'State',
    width: 176,
    isFixed: true,
    render: (_, instance) => <StateTag instance={instance} newest={newest} />,
  },
];

/** The instances on the same database. Nothing for a single one without a problem. */
export function InstancesTable({ instances }: { instances: readonly ServiceInstance[] }) {
  const table = useTable('instances', columnsFor(newestOf(instances)));
  if (!isListWorthy(instances)) return null;
  return (
    <section className={styles['instances']} aria-labelledby="instances">
      <h2 id="instances">Instances</h2>
      <DataTable label="Instances" rows={instances} table={table} rowKey="name" initialSort="name" />
    </section>
  );
}
