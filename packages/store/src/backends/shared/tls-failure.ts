/** The fault of the server's certificate that prevented a connection, as half a sentence for the admin. */
export function tlsFailure(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const causeCode = (cause as { code?: unknown }).code;
    // Servers answer with numbers.
    const code = typeof causeCode === 'string' ? causeCode : '';
    if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
      return 'its certificate is for another name; correct the host, or give the server a certificate for it';
    }
    if (code.startsWith('CERT_') && code !== 'CERT_UNTRUSTED')
      return 'its certificate is not valid now; renew it';
    if (/CERT|SIGNATURE/.test(code)) {
      return 'its certificate is not trusted; name the file of its authority in NODE_EXTRA_CA_CERTS';
    }
    if (/^ERR_SSL_|^EPROTO$/.test(code) || /does not support SSL/.test(cause.message))
      return 'it offers no TLS';
  }
  return undefined;
}
