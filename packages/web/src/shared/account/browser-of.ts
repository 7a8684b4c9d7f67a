/** Browsers by what only they say of themselves, those first that also claim to be a later one. */
const BROWSERS: readonly [name: string, mark: RegExp][] = [
  ["Edge", /\bEdg\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\bFirefox\//],
  ["Chrome", /\b(Headless)?Chrome\//],
  ["Safari", /\bSafari\//],
];
const SYSTEMS: readonly [name: string, mark: RegExp][] = [
  ["iOS", /\b(iPhone|iPad)\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMacintosh\b/],
  ["Linux", /\bLinux\b/],
];

/** A browser's name and system, as people know them: "Firefox, Windows". What is not known is said as it names itself; null for nothing. */
export function browserOf(userAgent: string): string | null {
  const known = [nameIn(BROWSERS, userAgent), nameIn(SYSTEMS, userAgent)].filter((name) => name !== undefined);
  if (known.length > 0) return known.join(", ");
  return userAgent.split(" ", 1)[0] || null;
}

function nameIn(list: readonly [name: string, mark: RegExp][], userAgent: string): string | undefined {
  return list.find(([, mark]) => mark.test(userAgent))?.[0];
}
