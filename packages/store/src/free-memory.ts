/**
 * Frees the memory of bytes that were sent, unless they are a part of a buffer that others share. Collecting a million rows
 * as garbage costs more than sending them, and stops the event loop for up to 20 ms at a time.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
