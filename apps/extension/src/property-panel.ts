import { isThread } from '@kaptain/contract/fields';
import { type CellType, cellTypes, hasChoices } from './model/values.ts';
import type { Texts } from './texts/en.ts';

interface Properties {
  qHyperCubeDef?: { qDimensions?: { qDef?: { qFieldDefs?: string[]; qFieldLabels?: string[] } }[] };
}

type Chosen = { type?: CellType };

/** A list in the panel; each value is an entry of the labels. */
const dropdown = <V extends string>(
  ref: string,
  label: string,
  labels: Record<V, string>,
  first: NoInfer<V>,
) => ({
  ref,
  type: 'string',
  component: 'dropdown',
  label,
  defaultValue: first,
  options: Object.entries(labels).map(([value, text]) => ({ value, label: text })),
});

const fieldItems = ({ panel, types }: Texts) => ({
  name: { ref: 'name', type: 'string', label: panel.name, defaultValue: '' },
  type: {
    ...dropdown('type', panel.type, types, 'text'),
    options: cellTypes.map((value) => ({ value, label: types[value] })),
  },
  choices: {
    ref: 'choices',
    type: 'string',
    label: panel.choices,
    defaultValue: '',
    show: ({ type }: Chosen) => hasChoices(type),
  },
  isRequired: {
    ref: 'isRequired',
    type: 'boolean',
    label: panel.isRequired,
    defaultValue: false,
    show: ({ type }: Chosen) => !isThread(type),
  },
});

/** The property panel, in the form that the platform takes. */
export function propertyPanel(texts: Texts) {
  const { panel } = texts;
  const dimensionsIn = ({ qHyperCubeDef }: Properties) =>
    (qHyperCubeDef?.qDimensions ?? []).map(({ qDef }, value) => ({
      value,
      label: qDef?.qFieldLabels?.[0] || qDef?.qFieldDefs?.[0] || panel.dimension(value + 1),
    }));
  return {
    type: 'items',
    component: 'accordion',
    items: {
      data: {
        uses: 'data',
        items: {
          dimensions: {
            items: {
              editableIf: {
                ref: 'qAttributeExpressions.0.qExpression',
                type: 'string',
                component: 'expression',
                label: panel.editableIf,
                defaultValue: '',
              },
            },
          },
        },
      },
      kaptain: {
        type: 'items',
        label: panel.title,
        items: {
          serviceUrl: {
            ref: 'kaptain.serviceUrl',
            type: 'string',
            label: panel.serviceUrl,
            defaultValue: '',
          },
          kapsuleId: { ref: 'kaptain.kapsuleId', type: 'string', label: panel.kapsuleId, defaultValue: '' },
          keyDimension: {
            ref: 'kaptain.keyDimension',
            type: 'number',
            component: 'dropdown',
            label: panel.keyDimension,
            defaultValue: 0,
            options: dimensionsIn,
          },
          saving: dropdown(
            'kaptain.saving',
            panel.saving,
            { atOnce: panel.savedAtOnce, button: panel.savedByButton },
            'atOnce',
          ),
          reload: dropdown(
            'kaptain.reload',
            panel.reload,
            { none: panel.noReload, partial: panel.partialReload, full: panel.fullReload },
            'none',
          ),
          fields: {
            ref: 'kaptain.fields',
            type: 'array',
            label: panel.fields,
            itemTitleRef: 'name',
            allowAdd: true,
            allowRemove: true,
            allowMove: true,
            addTranslation: panel.addField,
            items: fieldItems(texts),
          },
        },
      },
      sorting: { uses: 'sorting' },
      settings: { uses: 'settings' },
    },
  };
}
