import { Skeleton } from 'antd';

/** A page that is on its way: the outline of its title and its table. */
export function PageSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading">
      <Skeleton active title={{ width: 220 }} paragraph={{ rows: 1, width: 360 }} />
      <TableSkeleton />
    </div>
  );
}

export function TableSkeleton() {
  return <Skeleton active title={false} paragraph={{ rows: 8, width: '100%' }} aria-busy="true" />;
}
