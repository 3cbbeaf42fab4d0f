import type { CertificateFiles } from './certificate-files.ts';
import type { Generations } from './generations.ts';

/** Removes old generations, and the certificates and keys that no other one names. */
export function pruneFiles(generations: Generations, certificates: CertificateFiles, running: number): void {
  generations.prune(running);
  const kept = generations.texts();
  certificates.prune((name) => kept.some((text) => text.includes(name)));
}
