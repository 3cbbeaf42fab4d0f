import { CHOOSE_PATH, CHOSEN_MESSAGE } from '@kaptain/contract/extension-window';
import { type CellType, cellTypeOf } from '../model/values.ts';
import { askInWindow } from './service-window.ts';

/** The choice of the author of a sheet, in the form of the object's properties. */
interface ChosenKapsule {
  kapsuleId: string;
  fields: { name: string; type: CellType; choices: string; isRequired: boolean }[];
}

/** Reads the message of the window; undefined when it has another form. */
export function chosenIn(kapsule: unknown): ChosenKapsule | undefined {
  const { id, fields } = (kapsule ?? {}) as { id?: unknown; fields?: unknown };
  if (typeof id !== 'string' || id === '' || !Array.isArray(fields)) return undefined;
  return {
    kapsuleId: id,
    fields: (fields as { name?: unknown; type?: unknown }[])
      .filter(({ name }) => typeof name === 'string' && name !== '')
      .map(({ name, type }) => ({
        name: name as string,
        type: cellTypeOf(type),
        choices: '',
        isRequired: false,
      })),
  };
}

/** Opens the service's window, in which the author signs in and chooses a kapsule, or has one made for the key. */
export async function chooseKapsule(
  serviceUrl: string,
  wanted: { keyField: string; name: string },
): Promise<ChosenKapsule | undefined> {
  const address = new URL(CHOOSE_PATH, serviceUrl);
  const { kapsule } = await askInWindow(address, [CHOSEN_MESSAGE], async () => wanted);
  return chosenIn(kapsule);
}
