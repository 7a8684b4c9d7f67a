/**
 * Converts Latin capitals to small letters, and no others: this is the only case folding that both engines have in
 * common.
 */
export function toSmallLetters(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
