import { docsUrl, useVersion } from '../../api/about.ts';
import { Logo } from '../../shared/Logo.tsx';
import { PageTitle } from '../../shared/PageHeader.tsx';
import { useVariant } from '../../variants/use-variant.ts';
import styles from './AboutPage.module.css';

export function AboutPage() {
  const { words, claim } = useVariant();
  const version = useVersion();
  return (
    <section className={styles['about']}>
      <Logo size={72} />
      <PageTitle>{`About ${words.service}`}</PageTitle>
      <p className={styles['version']}>{version}</p>
      <p>{claim}</p>
      <p>
        <a href={docsUrl()} target="_blank" rel="noreferrer">
          Documentation of the calls
        </a>
      </p>
    </section>
  );
}
