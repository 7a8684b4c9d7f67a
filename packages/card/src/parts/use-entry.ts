import { UNREPORTED } from "../model/memory.ts";
import { useDefault } from "./use-default.ts";
import { useKept } from "./use-kept.ts";

export interface Entry {
  text: string;
  write(text: string): void;
  /** Whether it differs from what the card gave, or from what was reported last. */
  isNew: boolean;
  /**
   * Reports the text if it is new.
   *
   * @param isMeant reports also the text that the card gave, once: the member has said that it is meant as it is.
   */
  commit(isMeant: boolean): void;
}

/**
 * What is written into a field, reported when it is committed. An update of the card that gives another text takes the
 * place of what was written and of what was reported.
 */
export function useEntry(given: string, report: (text: string) => void): Entry {
  const [text, setText] = useDefault(given);
  const waits = useKept<true>(UNREPORTED);
  const reported = useKept<{ given: string; text: string }>("reported");
  const known = () => (reported.get()?.given === given ? (reported.get()?.text ?? null) : null);
  return {
    text,
    write(next) {
      setText(next);
      waits.set(next === (known() ?? given) ? undefined : true);
    },
    isNew: text !== (known() ?? given),
    commit(isMeant) {
      waits.set(undefined);
      if (text === (known() ?? (isMeant && text !== "" ? null : given))) return;
      reported.set({ given, text });
      report(text);
    },
  };
}
