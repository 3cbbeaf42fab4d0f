import { Button } from 'antd';
import { Component, type ReactNode } from 'react';
import { OutdatedCodeError } from '../api/load-code.ts';
import styles from './Notice.module.css';

/** The service has been replaced by one with other files; the page of index.html names the new ones. */
const Outdated = () => (
  <>
    <h1>The console has been updated</h1>
    <p>This page belongs to the version that is running now. Reload to open it.</p>
  </>
);

const Broken = ({ error }: { error: Error }) => (
  <>
    <h1>Something went wrong on this page</h1>
    <p>Nothing was changed on the service. Reload the page; if it happens again, report this text:</p>
    <pre className={styles['detail']}>{error.message}</pre>
  </>
);

/** Replaces a screen that throws while rendering: what happened, what to do, and the text for a report. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(thrown: unknown) {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <section className={styles['notice']} role="alert">
        {error instanceof OutdatedCodeError ? <Outdated /> : <Broken error={error} />}
        <Button type="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      </section>
    );
  }
}
