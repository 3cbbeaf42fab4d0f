import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { startAt } from '../../shared/start-at.ts';
import { useWords } from '../../variants/use-variant.ts';
import styles from './Settings.module.css';
import { type SectionKey, sectionId, sectionTitles } from './sections.ts';

/** The section that begins above this distance from the top of the window is the current one. */
const LINE = 140;

function sectionInView(): string {
  const ids = Object.values(sectionId);
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  // At the end of the page the last section is the current one: it may be too short to reach the top.
  if (scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2) return sectionId.submit;
  return (
    ids.findLast((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= LINE) ??
    sectionId.system
  );
}

const moveTo = (id: string) =>
  startAt(document.getElementById(id), id === sectionId.submit ? 'end' : 'start');

/** On a small screen the index is one line: scrolls it to the current or focused entry. */
const bringIntoView = (link: HTMLElement | null | undefined) =>
  link?.closest('ul')?.scrollTo?.({ left: link.offsetLeft - 48 });

/** Spec 2: the side index of the form. Its entries are addresses of their own, so they can be shared. */
export function SectionIndex() {
  const titles = sectionTitles(useWords());
  const keys = Object.keys(titles) as SectionKey[];
  const { hash } = useLocation();
  const list = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState<string>(sectionId.system);

  useEffect(() => {
    const look = () => setCurrent(sectionInView());
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);

  useEffect(() => {
    bringIntoView(list.current?.querySelector<HTMLElement>(`[href$="#${current}"]`));
  }, [current]);

  // Scrolls to the fragment of the address: the form was not mounted when the browser looked for it.
  useEffect(() => {
    if (hash !== '') moveTo(hash.slice(1));
  }, [hash]);

  return (
    <nav className={styles['index']} aria-label="On this page">
      <ul ref={list}>
        {keys.map((key) => {
          const id = sectionId[key];
          return (
            <li key={key}>
              <Link
                to={{ hash: id }}
                replace
                {...(current === id && { 'aria-current': 'location' as const })}
                onClick={() => moveTo(id)}
                onFocus={({ currentTarget }) => {
                  // A link that moves away under the pressed pointer gets no click.
                  if (currentTarget.matches(':focus-visible')) bringIntoView(currentTarget);
                }}
              >
                {titles[key]}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
