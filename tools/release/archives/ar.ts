/** The bytes of an ar archive, which is what a Debian package is. */
export function arBytes(members: readonly { name: string; content: Buffer }[], seconds: number): Buffer {
  const parts = members.flatMap(({ name, content }) => [
    Buffer.from(
      [name.padEnd(16), String(seconds).padEnd(12), '0'.padEnd(6), '0'.padEnd(6), '100644'.padEnd(8)].join(
        '',
      ) + `${String(content.length).padEnd(10)}\`\n`,
    ),
    content,
    Buffer.from(content.length % 2 === 1 ? '\n' : ''),
  ]);
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
