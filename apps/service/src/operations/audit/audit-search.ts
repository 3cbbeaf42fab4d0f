import { auditActions } from '@kaptain/contract';
import { type AuditRecord, foldText } from '@kaptain/store';

/** Names and values at any depth; JSON would hide quotes and backslashes behind others. */
function collect(value: unknown, parts: string[]): void {
  if (typeof value === 'string') parts.push(value);
  else if (typeof value === 'number' || typeof value === 'boolean') parts.push(String(value));
  else if (typeof value === 'object' && value !== null) {
    if (!Array.isArray(value)) parts.push(...Object.keys(value));
    for (const entry of Object.values(value)) collect(entry, parts);
  }
}

/** The test whether an entry has the text: who, what, target, address, request, or any value before or after. */
export function searchTest(q: string): (entry: AuditRecord) => boolean {
  const wanted = foldText(q.trim());
  if (wanted === '') return () => true;
  const labels: Partial<Record<string, string>> = auditActions;
  return ({ actor, action, target, targetName, ip, requestId, before, after }) => {
    const parts: string[] = [];
    collect([actor, action, labels[action], target, targetName, ip, requestId, before, after], parts);
    return foldText(parts.join('\n')).includes(wanted);
  };
}
