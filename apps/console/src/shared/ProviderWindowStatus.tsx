import styles from './ProviderWindowStatus.module.css';

interface Props {
  isWaiting: boolean;
  link: string | undefined;
}

/** Tells that a sign-in goes on in another window, or gives the link to one that the browser has blocked. */
export const ProviderWindowStatus = ({ isWaiting, link }: Props) => (
  <p className={styles['status']} role="status">
    {isWaiting && link === undefined && 'Waiting for the sign-in in the other window …'}
    {link !== undefined && (
      <>
        Your browser has blocked the window.{' '}
        <a href={link} target="_blank" rel="noreferrer">
          Open it here
        </a>
      </>
    )}
  </p>
);
