import type { Client, ClientBase } from 'pg';

/** Destroys the socket; pending queries reject. */
export function destroySocket(client: ClientBase): void {
  (client as Client).connection.stream.destroy();
}
