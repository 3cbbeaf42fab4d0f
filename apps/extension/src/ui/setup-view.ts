import type { ObjectModel } from '@nebula.js/stardust';
import { chooseKapsule } from '../service/choose-kapsule.ts';
import { texts } from '../texts/texts.ts';
import { button, element } from './element.ts';

interface SetupOptions {
  /** The missing settings of the property panel. */
  missing: string;
  /** Known as soon as the panel has it: the author can choose the kapsule. */
  serviceUrl?: string | undefined;
  /** The name of the key dimension; undefined before there is one. */
  keyField: string | undefined;
  model: ObjectModel | undefined;
}

/** Stores the choice in the object's properties; fields that the author has set up stay. */
async function store(model: ObjectModel, serviceUrl: string, keyField: string): Promise<void> {
  const chosen = await chooseKapsule(serviceUrl, { keyField, name: keyField });
  if (!chosen) return;
  const properties = await model.getProperties();
  const { fields: own, ...kaptain } = properties.kaptain ?? {};
  const hasOwn = Array.isArray(own) && own.length > 0;
  const fields = hasOwn ? own : chosen.fields;
  await model.setProperties({ ...properties, kaptain: { ...kaptain, kapsuleId: chosen.kapsuleId, fields } });
}

/** Shown instead of the table while the object is not set up. */
export function setupView({ missing, serviceUrl, keyField, model }: SetupOptions): HTMLElement {
  const root = element('div', { class: 'message' }, element('p', {}, missing));
  if (serviceUrl === undefined || keyField === undefined || !model) return root;
  const status = element('p', { role: 'status' });
  const choose = () => {
    status.textContent = '';
    store(model, serviceUrl, keyField).catch((error: unknown) => {
      status.textContent = error instanceof Error ? error.message : texts().signInFailed;
    });
  };
  root.append(button(texts().chooseKapsule, choose), status);
  return root;
}
