import { Skeleton } from 'antd';

/** The outline of a page while its code loads. */
export function PageSkeleton() {
  return (
    <div role="group" aria-busy="true" aria-label="Loading">
      <Skeleton active title={{ width: 220 }} paragraph={{ rows: 1, width: 360 }} />
      <TableSkeleton />
    </div>
  );
}

export function TableSkeleton() {
  return <Skeleton active title={false} paragraph={{ rows: 8, width: '100%' }} aria-busy="true" />;
}
