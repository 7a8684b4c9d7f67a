/** Masks a phone number except for its ends: enough to recognise it, not to call it. */
export function maskPhone(phone: string): string {
  const [shownFirst, shownLast] = phone.length >= 9 ? [3, 4] : [1, 1];
  const hidden = Math.max(phone.length - shownFirst - shownLast, 1);
  return phone.slice(0, shownFirst) + "*".repeat(hidden) + (hidden > 1 ? phone.slice(-shownLast) : "");
}
