import { useRef, useState } from 'react';
import { useCreateUsers } from '../../api/users.ts';
import type { ImportedUser } from './imported-users.ts';

interface UserResult {
  username: string;
  /** Absent when the user was created. */
  failure?: string;
}

/**
 * Creates users one after the other; each succeeds or fails alone, and stopping keeps those that were created. It also
 * stops when the person does not prove their identity.
 */
export function useImportUsers() {
  const create = useCreateUsers();
  const [results, setResults] = useState<readonly UserResult[]>([]);
  const [isRunning, setRunning] = useState(false);
  const isStopped = useRef(false);

  const start = async (users: readonly ImportedUser[]) => {
    isStopped.current = false;
    setRunning(true);
    const done: UserResult[] = [];
    for (const { user } of users) {
      if (isStopped.current) break;
      const { failure, isUnproven } = await create.one(user);
      done.push({ username: user.username, ...(failure !== undefined && { failure }) });
      setResults([...done]);
      if (isUnproven) break;
    }
    setRunning(false);
    await create.refresh();
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { results, isRunning, start, stop };
}
