import { Alert, Button } from 'antd';
import { useIsUploading } from '../../api/settings.ts';
import styles from './Settings.module.css';
import { sectionId } from './sections.ts';

interface Props {
  changes: number;
  /** The message of the last refused save. */
  failure: string | undefined;
  isBusy: boolean;
  onReset: () => void;
}

/** Spec 2: Reset and Submit, always in sight. */
export function SubmitBar({ changes, failure, isBusy, onReset }: Props) {
  // Saving waits for the upload, so that it sends what the form shows.
  const isUploading = useIsUploading();
  return (
    <section id={sectionId.submit} className={styles['submit']} aria-label="Submit" tabIndex={-1}>
      {failure !== undefined && <Alert type="error" showIcon title={failure} />}
      <div>
        <span role="status">
          {changes === 0
            ? 'No unsaved changes'
            : changes === 1
              ? '1 unsaved change'
              : `${changes} unsaved changes`}
        </span>
        <Button onClick={onReset} disabled={isBusy}>
          Reset
        </Button>
        <Button type="primary" htmlType="submit" loading={isBusy} disabled={isUploading}>
          Submit
        </Button>
      </div>
    </section>
  );
}
