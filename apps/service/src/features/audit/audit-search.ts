import { auditActions } from '@kaptain/contract';
import { type AuditRecord, foldText } from '@kaptain/store';

/** The test whether an entry has the text: who, what, target, address, request, or any value before or after. */
export function searchTest(q: string): (entry: AuditRecord) => boolean {
  const wanted = foldText(q.trim());
  if (wanted === '') return () => true;
  const labels: Partial<Record<string, string>> = auditActions;
  return ({ actor, action, target, targetName, ip, requestId, before, after }) => {
    const texts = [actor, action, labels[action], target, targetName, ip, requestId].join('\n');
    return foldText(`${texts}\n${JSON.stringify([before, after])}`).includes(wanted);
  };
}
