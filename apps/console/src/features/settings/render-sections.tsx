import { Form, type FormInstance } from 'antd';
import { createRef, type ReactNode } from 'react';
import type { Answers } from '../../testing/fake-service.ts';
import { renderPart } from '../../testing/render-part.tsx';
import { variants } from '../../variants/variants.ts';
import { settingsDifference } from './changes/settings-difference.ts';
import { freshSettings } from './settings-fixture.ts';
import { type SettingsValues, toBody, toForm } from './settings-values.ts';
import { FORM, SettingsContext, useTesting } from './use-settings-form.ts';

interface Options {
  info?: ReturnType<typeof freshSettings>;
  settings?: NonNullable<Answers['settings']>;
  variant?: keyof typeof variants;
}

/** Mounts sections of the settings in a form of their own: the whole page takes many times the processor time. */
export function renderSections(
  sections: ReactNode,
  { info = freshSettings(), settings = {}, variant = 'default' }: Options = {},
) {
  const form = createRef<FormInstance<SettingsValues>>();
  const initial = toForm(info);
  const before = toBody(initial, info);
  const values = () => form.current?.getFieldsValue(true) as SettingsValues;
  function Sections() {
    const testing = useTesting();
    return (
      <SettingsContext value={{ info, initial, isOwnService: true, ...testing }}>
        <Form<SettingsValues> ref={form} name={FORM} initialValues={initial}>
          {sections}
          <button type="submit">Submit</button>
        </Form>
      </SettingsContext>
    );
  }
  return {
    ...renderPart(<Sections />, { answers: { settings }, variant }),
    /** The changes that the entered values would make, as the page lists them before it saves. */
    changes: () =>
      settingsDifference(before, toBody(values(), info), variants[variant].words).map(
        ({ group, label, before: old, after }) => `${group} · ${label}: ${old} → ${after}`,
      ),
  };
}
