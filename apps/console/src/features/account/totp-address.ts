/** The address that authenticator apps read from the QR code; SHA-1, 6 digits and 30 seconds are what all of them know. */
export function totpAddress(service: string, username: string, secret: string): string {
  const label = `${encodeURIComponent(service)}:${encodeURIComponent(username)}`;
  // Not URLSearchParams: some apps show a plus sign where it stands for a blank.
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(service)}`;
}
