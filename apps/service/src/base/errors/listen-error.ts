/** The remedy when the port can not be opened, by the code of the error; undefined for an unexpected code. */
export function listenError(code: unknown, host: string, port: number): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is already in use. Stop the other program, or start with KAPTAIN_PORT=${port + 1} (or any free port).`;
    case 'EACCES':
      return `Port ${port} needs more rights than this user has. Choose one above 1023 with KAPTAIN_PORT.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This computer has no address ${host}. Correct KAPTAIN_HOST, e.g. 127.0.0.1 or 0.0.0.0.`;
    default:
      return undefined;
  }
}
