import { isIP } from 'node:net';
import { hostname as ownHostname } from 'node:os';

/** The host names of this computer. */
function ownNames(env: NodeJS.ProcessEnv = process.env): string[] {
  const full = ownHostname().toLowerCase();
  const short = full.split('.')[0] ?? full;
  const domain = env['USERDNSDOMAIN']?.toLowerCase();
  return ['localhost', full, short, `${short}.local`, ...(domain ? [`${short}.${domain}`] : [])];
}

/**
 * Whether a Host header names this service. In a DNS rebinding attack the header has the attacker's name; a page
 * can't make it an IP address or a name of this computer.
 */
export function isTrustedHost(hostname: string, publicHosts: readonly string[]): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true;
  return [...ownNames(), ...publicHosts.map((host) => host.toLowerCase())].includes(name);
}
