let handed: { kapsuleId: string; files: readonly File[] } | undefined;

/** The page of this kapsule, which is shown next, offers to import the files. */
export function handOverFiles(kapsuleId: string, files: readonly File[]): void {
  handed = { kapsuleId, files };
}

/** The files for this kapsule, once. */
export function takeFiles(kapsuleId: string): readonly File[] | undefined {
  const files = handed?.kapsuleId === kapsuleId ? handed.files : undefined;
  handed = undefined;
  return files;
}
