/** The forms on the screen; each tells whether it has unsaved changes. */
export const forms = new Set<() => boolean>();
export const hasUnsavedChanges = (): boolean => [...forms].some((isUnsaved) => isUnsaved());
