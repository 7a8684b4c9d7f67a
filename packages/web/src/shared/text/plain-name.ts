/** Characters that change the direction of what follows, and those that cannot be seen. */
const DISGUISES = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** A file's name without what would disguise its ending: "evil\u202Egpj.exe" would be read as a picture's. */
export function plainName(name: string): string {
  return name.replace(DISGUISES, "");
}

/** The ending of a file's name in capitals, such as "PDF"; empty where it has none. */
export function endingOf(name: string): string {
  return /\.(\w{1,8})$/.exec(plainName(name))?.[1]?.toUpperCase() ?? "";
}
