import { cellTypes } from './model/values.ts';

interface Properties {
  qHyperCubeDef?: { qDimensions?: { qDef?: { qFieldDefs?: string[]; qFieldLabels?: string[] } }[] };
}

const labels: Record<(typeof cellTypes)[number], string> = {
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
};

const dimensionsIn = ({ qHyperCubeDef }: Properties) =>
  (qHyperCubeDef?.qDimensions ?? []).map(({ qDef }, value) => ({
    value,
    label: qDef?.qFieldLabels?.[0] || qDef?.qFieldDefs?.[0] || `Dimension ${value + 1}`,
  }));

/** The property panel, in the form that the platform takes. */
export const propertyPanel = {
  type: 'items',
  component: 'accordion',
  items: {
    data: { uses: 'data' },
    kaptain: {
      type: 'items',
      label: 'Comments',
      items: {
        serviceUrl: {
          ref: 'kaptain.serviceUrl',
          type: 'string',
          label: 'Address of the service',
          defaultValue: '',
        },
        kapsuleId: { ref: 'kaptain.kapsuleId', type: 'string', label: 'Id of the kapsule', defaultValue: '' },
        keyDimension: {
          ref: 'kaptain.keyDimension',
          type: 'number',
          component: 'dropdown',
          label: 'Key dimension',
          defaultValue: 0,
          options: dimensionsIn,
        },
        fields: {
          ref: 'kaptain.fields',
          type: 'array',
          label: 'Fields',
          itemTitleRef: 'name',
          allowAdd: true,
          allowRemove: true,
          allowMove: true,
          addTranslation: 'Add a field',
          items: {
            name: { ref: 'name', type: 'string', label: 'Name', defaultValue: '' },
            type: {
              ref: 'type',
              type: 'string',
              component: 'dropdown',
              label: 'Type',
              defaultValue: 'text',
              options: cellTypes.map((value) => ({ value, label: labels[value] })),
            },
          },
        },
      },
    },
    sorting: { uses: 'sorting' },
    settings: { uses: 'settings' },
  },
};
