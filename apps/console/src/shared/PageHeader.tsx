import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useVariant } from '../variants/use-variant.ts';
import { keyAtLoad } from './location.ts';
import styles from './PageHeader.module.css';

/** The heading of a page. It sets the window title, and takes the focus after a navigation. */
export function PageTitle({ children, after }: { children: string; after?: ReactNode }) {
  const { pageTitle } = useVariant();
  const heading = useRef<HTMLHeadingElement>(null);
  const cameFromOtherPage = useRef(useLocation().key !== keyAtLoad);
  useEffect(() => {
    if (cameFromOtherPage.current) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <title>{`${children} · ${pageTitle}`}</title>
      <h1 ref={heading} tabIndex={-1} className={styles['title']}>
        {children}
        {after}
      </h1>
    </>
  );
}

interface Props {
  title: string;
  /** One line that explains the page. */
  description?: ReactNode;
  /** The primary action, on the right. */
  actions?: ReactNode;
  /** A tag or count beside the title. */
  after?: ReactNode;
}

export function PageHeader({ title, description, actions, after }: Props) {
  return (
    <div className={styles['header']}>
      <div className={styles['text']}>
        <PageTitle after={after}>{title}</PageTitle>
        {description && <p className={styles['description']}>{description}</p>}
      </div>
      {actions && <div className={styles['actions']}>{actions}</div>}
    </div>
  );
}
