import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { messages } from '@kaptain/contract/messages';
import { DataSourceType } from '@kaptain/contract/vocabulary';
import { Alert, App, Button, Form, Select } from 'antd';
import { useState } from 'react';
import { useWords } from '../../../variants/use-variant.ts';
import { titleOf } from '../../../variants/variant.ts';
import { blockOf } from '../paths.ts';
import { Section } from '../Section.tsx';
import styles from '../Settings.module.css';
import { sectionId, sectionTitles } from '../sections.ts';
import { newDataSource } from '../setting-defaults.ts';
import { sourceTitles } from '../setting-groups.ts';
import { useSettingsContext } from '../use-settings-form.ts';
import { DataSourceCard } from './DataSourceCard.tsx';

const LIST = ['temporary', 'dataSources'];

/** Spec 5: only types not yet present are offered. */
export function DataSourcesSection() {
  const words = useWords();
  const { granule, kapsule, dataSource } = words;
  const title = titleOf(dataSource);
  const form = Form.useFormInstance();
  const { initial } = useSettingsContext();
  const { modal } = App.useApp();
  const present = Form.useWatch<DataSourceType[] | undefined>(LIST, { form, preserve: true }) ?? [];
  const missing = DataSourceType.options.filter((type) => !present.includes(type));
  const [chosen, setChosen] = useState<DataSourceType>();
  const [added, setAdded] = useState<DataSourceType>();
  const [isRefused, setRefused] = useState(false);

  const add = () => {
    setRefused(chosen === undefined);
    if (chosen === undefined) return;
    // Adding a removed type again restores its saved values.
    const saved = initial.temporary.dataSources.includes(chosen);
    form.setFieldValue(chosen, saved ? blockOf(initial[chosen]) : newDataSource(chosen));
    form.setFieldValue(LIST, [...present, chosen]);
    setChosen(undefined);
    setAdded(chosen);
  };
  const remove = (type: DataSourceType) => {
    let isRemoved = false;
    modal.confirm({
      title: `Are you sure to remove ${sourceTitles[type]}?`,
      content: `Once saved, ${kapsule.many} that keep their ${granule.many} there can’t be read any more. Nothing is deleted in the SQL database itself.`,
      okText: 'Yes',
      cancelText: 'Cancel',
      okButtonProps: { danger: true },
      focusable: { autoFocusButton: 'cancel' },
      // The focus moves on when the pressed button has disappeared; after Cancel it is there again.
      afterClose: () =>
        isRemoved && document.getElementById(sectionId.dataSources)?.focus({ preventScroll: true }),
      onOk: () => {
        isRemoved = true;
        setAdded(undefined);
        form.setFieldValue(
          LIST,
          present.filter((other) => other !== type),
        );
      },
    });
  };

  return (
    <Section
      section="dataSources"
      title={sectionTitles(words).dataSources}
      description={`SQL databases of yours that can hold ${granule.many}.`}
    >
      {present.length === 0 && <p className={styles['note']}>{`There is no ${dataSource.one} yet.`}</p>}
      {present.map((type) => (
        <DataSourceCard
          key={type}
          type={type}
          isNew={type === added}
          removeButton={
            <Button
              type="text"
              danger
              icon={<DeleteOutlined />}
              aria-label={`Remove ${sourceTitles[type]}`}
              onClick={() => remove(type)}
            />
          }
        />
      ))}
      {missing.length > 0 && (
        <>
          {isRefused && (
            <Alert
              className={styles['refusal'] ?? ''}
              type="error"
              showIcon
              closable={{ onClose: () => setRefused(false) }}
              title="Error: No dataSourceType!"
            />
          )}
          <div className={styles['add']}>
            <Form.Item
              label={`${title} Type`}
              htmlFor="data-source-type"
              {...(isRefused && {
                validateStatus: 'error' as const,
                help: messages.dataSourceTypeRequired.replace('Data Source', title),
              })}
            >
              <Select<DataSourceType>
                id="data-source-type"
                value={chosen ?? null}
                placeholder="Select a type"
                options={missing.map((value) => ({ value, label: sourceTitles[value] }))}
                onChange={(value) => {
                  setChosen(value);
                  setRefused(false);
                }}
              />
            </Form.Item>
            <Button icon={<PlusOutlined aria-hidden />} onClick={add}>
              {`Add ${dataSource.one}`}
            </Button>
          </div>
        </>
      )}
    </Section>
  );
}
