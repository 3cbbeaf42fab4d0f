import type { ImportPreview as Preview } from '@kaptain/contract/settings/generations';
import { Alert } from 'antd';
import { useWords } from '../../../variants/use-variant.ts';
import { ChangesTable } from '../changes/ChangesTable.tsx';
import { labelledDifferences, labelsOf } from '../changes/labelled-differences.ts';

/** The changes that the file would make, and the values that it lacks. */
export function ImportPreview({ preview }: { preview: Preview }) {
  const words = useWords();
  const { differences, missingSecrets } = preview;
  return (
    <>
      <ChangesTable changes={labelledDifferences(differences, words)} />
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
