import type { StructureProposal } from '@kaptain/contract/proposals';
import { Alert, Form } from 'antd';
import { useWords } from '../../variants/use-variant.ts';
import { SampleRows } from '../SampleRows.tsx';
import styles from './KapsuleForm.module.css';
import type { KapsuleValues } from './kapsule-values.ts';

interface Props {
  proposal: StructureProposal;
  /** What it is proposed for: a file or a table. */
  of: 'file' | 'table';
}

const SHOWN = 5;
const listed = (names: readonly string[], count: number) =>
  `${names.slice(0, SHOWN).join(', ')}${count > SHOWN ? ` and ${count - SHOWN} more` : ''}`;

/** The first rows of what a structure is proposed for, and what the person should know of it. */
export function ProposalSummary({ proposal, of }: Props) {
  const { granule } = useWords();
  const form = Form.useFormInstance<KapsuleValues>();
  const fields = Form.useWatch((values: KapsuleValues) => values.fields, { form, preserve: true }) ?? [];
  const { columns, leftOut, rows, firstRows, keyField } = proposal;
  const names = new Set(columns.map(({ name }) => name));
  const strange = fields.map(({ name }) => name.trim()).filter((name) => name !== '' && !names.has(name));
  return (
    <div className={styles['proposal']}>
      <p className={styles['hint']}>
        {`${rows.toLocaleString('en-US')} rows. Types and key are proposed by the values: change what you know better.`}
      </p>
      <SampleRows columns={columns.map(({ name }) => name)} rows={firstRows} />
      {keyField === null && (
        <Alert
          type="warning"
          showIcon
          title="No column has a different value in each row."
          description={`Choose the key. Rows with the same key become one ${granule.one}; rows without one are left out.`}
        />
      )}
      {leftOut.count > 0 && (
        <Alert
          type="info"
          showIcon
          title={`${leftOut.count} ${leftOut.count === 1 ? 'column' : 'columns'} can’t be fields: ${listed(leftOut.first, leftOut.count)}.`}
        />
      )}
      {strange.length > 0 && (
        <Alert
          type="info"
          showIcon
          title={`Not in the ${of}: ${listed(strange, strange.length)}.`}
          description="Such a field begins empty. To show a column under another name, keep its name and enter a Label under Rules."
        />
      )}
    </div>
  );
}
