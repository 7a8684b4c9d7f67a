/** The text with Latin capitals as small letters, and no others: that is all that both engines can be had to agree on. */
export function toSmallLetters(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
