import type { ReactNode } from 'react';
import styles from './Settings.module.css';
import { type SectionKey, sectionId } from './sections.ts';

interface Props {
  section: SectionKey;
  title: string;
  description: ReactNode;
  /** On the right of the title. */
  action?: ReactNode;
  children: ReactNode;
}

/** A part of the form that the side index leads to. */
export function Section({ section, title, description, action, children }: Props) {
  const id = sectionId[section];
  return (
    <section id={id} className={styles['section']} aria-labelledby={`${id}-title`} tabIndex={-1}>
      <header>
        <div>
          <h2 id={`${id}-title`}>{title}</h2>
          <p>{description}</p>
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}
