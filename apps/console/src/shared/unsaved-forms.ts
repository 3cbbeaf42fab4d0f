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

/** The forms on the screen; each tells whether it has unsaved changes, and how to ask before they are lost. */
export const forms = new Set<{ isUnsaved: () => boolean; question: LeaveQuestion }>();

/** The question of the first form with unsaved changes. */
export const unsavedQuestion = (): LeaveQuestion | undefined =>
  [...forms].find(({ isUnsaved }) => isUnsaved())?.question;
export const hasUnsavedChanges = (): boolean => unsavedQuestion() !== undefined;
