/** The sounds that Chinese words begin with, and the first word of each in the order of a dictionary. */
const SOUNDS = [..."abcdefghjklmnopqrstwxyz"];
const FIRST_WORDS = [..."阿八嚓哒妸发旮哈讥咔垃痳拏噢妑七呥扨它穵夕丫帀"];
const HAN = /\p{Script=Han}/u;
/** All words of the language, and more. */
const MOST_KEPT = 30_000;

const kept = new Map<string, string>();
let dictionary: Intl.Collator | undefined;

/**
 * How well a name fits what somebody types to find it, in whatever capitals: 0 when it, a word of it, or the user name
 * begins so, 1 when it holds it, 2 when the initials of its Chinese words do (`wxm` for 王小明); null when it does not fit.
 */
export function nameFit({ name, username = "" }: { name: string; username?: string }, typed: string): number | null {
  const wanted = typed.toLowerCase();
  const own = name.toLowerCase();
  if ([own, username.toLowerCase(), ...own.split(/\s+/)].some((words) => words.startsWith(wanted))) return 0;
  if (own.includes(wanted)) return 1;
  return /^[a-z]+$/.test(wanted) && HAN.test(own) && initialsOf(own).includes(wanted) ? 2 : null;
}

/** Chinese words by the sound that they begin with, others as they are. */
function initialsOf(name: string): string {
  return Array.from(name, (letter) => (HAN.test(letter) ? soundOf(letter) : letter)).join("");
}

/** By the order of dictionaries, which has a word at the sound that it has most often. */
function soundOf(word: string): string {
  const known = kept.get(word);
  if (known !== undefined) return known;
  dictionary ??= new Intl.Collator("zh-CN-u-co-pinyin");
  const { compare } = dictionary;
  const sound = SOUNDS[FIRST_WORDS.findLastIndex((first) => compare(first, word) <= 0)] ?? word;
  if (kept.size < MOST_KEPT) kept.set(word, sound);
  return sound;
}
