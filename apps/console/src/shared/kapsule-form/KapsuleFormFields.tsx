import { limits } from '@kaptain/contract/limits';
import type { StructureProposal } from '@kaptain/contract/proposals';
import { DEFAULT_DATABASE } from '@kaptain/contract/vocabulary';
import { Form, Input, Select } from 'antd';
import { useWords } from '../../variants/use-variant.ts';
import type { ChoiceSources } from './choice-sources.ts';
import { FieldRows } from './FieldRows.tsx';
import { KeyField } from './KeyField.tsx';
import { isInSource, type KapsuleValues } from './kapsule-values.ts';

interface Props {
  /** The databases to choose from; undefined when the kapsule exists, because it stays where it is. */
  databases?: readonly string[];
  /** How many fields are stored already. */
  storedFields?: number;
  sources: ChoiceSources;
  /** Of the file or table for which the values are proposed. */
  columns?: StructureProposal['columns'] | undefined;
}

const Field = Form.Item<KapsuleValues>;
const filled = (label: string) => [{ required: true, whitespace: true, message: `${label} is required!` }];

/** Name, database, table, key and fields of a kapsule. */
export function KapsuleFormFields({ databases, storedFields = 0, sources, columns }: Props) {
  const { kapsule, granule, database: noun, ownDatabase, platform } = useWords();
  const form = Form.useFormInstance<KapsuleValues>();
  const database = Form.useWatch('database', { form, preserve: true }) ?? DEFAULT_DATABASE;
  const isKeyFixed = !databases && isInSource(database);
  const text = { autoComplete: 'off', maxLength: limits.nameCharacters } as const;
  return (
    <>
      <Field name="name" label="Name" rules={filled('Name')}>
        <Input {...text} />
      </Field>
      {databases && (
        <Field
          name="database"
          label={noun.One}
          extra={`Where the ${granule.many} are stored. It can’t be changed later.`}
        >
          <Select
            options={databases.map((value) => ({ value, label: isInSource(value) ? value : ownDatabase }))}
          />
        </Field>
      )}
      {databases && isInSource(database) && (
        <Field
          name="tableName"
          label={`Table on ${database}`}
          rules={filled('Table')}
          extra="A new table is created. Only an ADMIN may use one that exists."
        >
          <Input {...text} spellCheck={false} />
        </Field>
      )}
      <Field name="table" label="Bound table" extra={`The table in ${platform} whose rows are commented on.`}>
        <Input {...text} />
      </Field>
      <KeyField
        columns={columns}
        isFixed={isKeyFixed}
        extra={
          isKeyFixed
            ? `The key field of a table on ${database} can’t be changed.`
            : databases
              ? `The column that identifies a row. Each ${granule.one} belongs to one value of it.`
              : `The ${granule.many} keep their keys. Load scripts and QVD files of this ${kapsule.one} must use the new name.`
        }
      />
      <FieldRows stored={storedFields} sources={sources} />
    </>
  );
}
