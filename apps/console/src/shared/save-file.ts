/** Downloads a text made in this page. */
export function saveFile(name: string, text: string, type = 'application/json'): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The URL is released later: the browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
