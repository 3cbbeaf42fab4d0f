/** Downloads a text made in this page, or a file that it has loaded. */
export function saveFile(name: string, content: string | Blob, type = 'application/json'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The URL is released later: the browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
