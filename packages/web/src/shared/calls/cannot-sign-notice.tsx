import { Notice } from "../ui/notice.tsx";
import { useWords } from "../words/words.ts";
import { CALLS } from "./words.ts";

/** Whether this page can sign: browsers leave out what signs where a page came by plain http. */
export function canSign(): boolean {
  return "subtle" in crypto;
}

/** Says why calls cannot be signed here, and how they can be made. */
export function CannotSignNotice() {
  const say = useWords(CALLS);
  return (
    <Notice tone="warning" title={say("cannotSign")}>
      <p>{say("cannotSignHint")}</p>
    </Notice>
  );
}
