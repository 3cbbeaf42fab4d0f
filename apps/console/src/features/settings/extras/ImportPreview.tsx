import type { ImportPreview as Preview } from '@kaptain/contract/settings/generations';
import { Alert } from 'antd';
import { useWords } from '../../../variants/use-variant.ts';
import { ChangesTable } from '../changes/ChangesTable.tsx';
import { labelsOf, toldDifferences } from '../changes/told-differences.ts';

/** What the file would change here, and what it does not bring. */
export function ImportPreview({ preview }: { preview: Preview }) {
  const words = useWords();
  const { differences, missingSecrets } = preview;
  return (
    <>
      <ChangesTable changes={toldDifferences(differences, words)} />
      {missingSecrets.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title="To be entered afterwards"
          description={`The file does not bring: ${labelsOf(missingSecrets, words).join(', ')}.`}
        />
      )}
    </>
  );
}
