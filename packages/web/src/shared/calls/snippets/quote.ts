/** A text as one word of a shell, of which nothing is expanded. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
