/** A person's name, as a directory says it; null for what it does not say. */
export interface PersonName {
  /** The display name, where it is not made of the others. */
  ownName: string | null;
  formattedName: string | null;
  givenName: string | null;
  familyName: string | null;
}

/** The most characters of a name that is shown. */
const MAX_LENGTH = 100;
/** Names in scripts that put the family first, and no blank between. */
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}々ー·・]+$/u;

/** What a person is called: by the display name, else by the whole name, else by its parts, else by the user name. */
export function shownName({ ownName, ...parts }: PersonName, userName: string): string {
  const shown = ownName ?? wholeName(parts) ?? userName;
  return Array.from(shown).length <= MAX_LENGTH ? shown : Array.from(shown).slice(0, MAX_LENGTH).join("").trimEnd();
}

/** The whole name; null when nothing is said of it. */
export function wholeName({ formattedName, givenName, familyName }: Omit<PersonName, "ownName">): string | null {
  if (formattedName !== null) return formattedName;
  if (givenName === null || familyName === null) return givenName ?? familyName;
  const isCjk = CJK.test(givenName) && CJK.test(familyName);
  return isCjk ? `${familyName}${givenName}` : `${givenName} ${familyName}`;
}
