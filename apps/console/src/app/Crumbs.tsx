import { Breadcrumb } from 'antd';
import { Link, matchPath, useLocation } from 'react-router';
import { useWords } from '../variants/use-variant.ts';
import styles from './Crumbs.module.css';
import { screenAt, useRegistered } from './use-registered.ts';

const groupNames = { data: 'Data', system: 'System' } as const;

/** The breadcrumb: the menu group, the list that a detail belongs to, the page itself. */
export function Crumbs() {
  const { open } = useRegistered();
  const words = useWords();
  const { pathname } = useLocation();
  const current = screenAt(open, pathname);
  if (!current) return <nav aria-label="Breadcrumb" />;

  const { ObjectName } = current;
  const title = current.title(words);
  const params = matchPath(current.path, pathname)?.params ?? {};
  const parent = open.find(({ path }) => path !== current.path && current.path.startsWith(`${path}/`));
  const group = (current.menu ? current : parent)?.menu;
  const titles = [
    ...(group && group !== 'top' ? [{ key: 'group', title: groupNames[group] }] : []),
    ...(parent ? [{ key: 'parent', title: <Link to={parent.path}>{parent.title(words)}</Link> }] : []),
    {
      key: 'page',
      title: (
        <span aria-current="page">
          {ObjectName ? <ObjectName id={params['id'] ?? ''} otherwise={title} /> : title}
        </span>
      ),
    },
  ];
  return <Breadcrumb className={styles['crumbs'] ?? ''} items={titles} aria-label="Breadcrumb" />;
}
