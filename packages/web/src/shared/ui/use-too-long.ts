import { excessOf } from "../text/text-length.ts";
import { useFormat } from "../words/format.ts";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";

/** Says of a text that is too long by how much. A field that takes no more would drop the rest of what is pasted, in silence. */
export function useTooLong(): (text: string, most: number) => string | undefined {
  const say = useWords(SHARED);
  const format = useFormat();
  return (text, most) => {
    const count = excessOf(text, most);
    return count > 0 ? say("tooLongText", { count, most: format.number(most) }) : undefined;
  };
}
