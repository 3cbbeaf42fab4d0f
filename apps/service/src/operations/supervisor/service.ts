import type { PasswordCost } from '../../identity/passwords/passwords.ts';
import type { Rejected, StartReason } from './messages.ts';

/** The service's connection to its supervisor. */
export interface Link {
  startReason: StartReason;
  opening(generation: number, isProven: boolean, sharesDatabase: boolean): void;
  opened(): void;
  restart(): void;
}

export interface Service {
  /** Lines for the terminal, or for a collector of JSON lines: the warnings and the address. */
  greeting: string;
  port: number;
  /** Whether any free port was requested. */
  freePort: boolean;
  stop(): Promise<void>;
  /** Leaves its port to another worker that is ready. */
  retire(): Promise<void>;
  /** Called while it retires, when the whole service stops: clients will not reconnect. */
  hurry(): void;
  /** The next worker could not start. */
  restartFailed(rejected: Rejected | undefined, reason: string): Promise<void>;
  /** Logs why the process is about to end unexpectedly. */
  logCrash(error: unknown): Promise<void>;
}

/** Starts the service in this process. Only tests pass a cost of passwords. */
export type Start = (env: NodeJS.ProcessEnv, link: Link, passwordCost?: PasswordCost) => Promise<Service>;
