/** The question before the user leaves what would be lost. */
export interface LeaveQuestion {
  title: string;
  content?: string;
  leave: string;
  stay: string;
}

export const enteredValues: LeaveQuestion = {
  title: 'Discard what you have entered?',
  leave: 'Discard',
  stay: 'Keep editing',
};

export const recoveryCodes: LeaveQuestion = {
  title: 'Leave before you have stored the recovery codes?',
  content: 'They are shown only now.',
  leave: 'Leave',
  stay: 'Stay',
};

/** A form on the screen: it tells whether it has unsaved changes, and how to ask before they are lost. */
interface OpenForm {
  isUnsaved: () => boolean;
  question: LeaveQuestion;
}

const forms = new Set<OpenForm>();
const listeners = new Set<() => void>();

/** The question of the first form with unsaved changes. */
export const unsavedQuestion = (): LeaveQuestion | undefined =>
  [...forms].find(({ isUnsaved }) => isUnsaved())?.question;
export const hasUnsavedChanges = (): boolean => unsavedQuestion() !== undefined;

/** Returns the function that takes the form away again. */
export function addForm(form: OpenForm): () => void {
  forms.add(form);
  return () => {
    forms.delete(form);
    for (const listener of listeners) listener();
  };
}

/** Tells when a form leaves the screen. */
export function onFormLeft(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
