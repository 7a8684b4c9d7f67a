import type { PreviewFault } from "@portico/protocol/cards/preview-link";
import { CodeBlock } from "../../shared/ui/code-block.tsx";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { Notice } from "../../shared/ui/notice.tsx";
import { type KeysOf, useWords } from "../../shared/words/words.ts";
import styles from "./preview-page.module.css";
import { PREVIEW } from "./words.ts";

const WORDS: Readonly<Record<Exclude<PreviewFault, "no-card">, KeysOf<typeof PREVIEW>>> = {
  "too-long": "tooLong",
  "too-large": "tooLarge",
  "not-base64": "brokenLink",
  damaged: "brokenLink",
  "not-text": "brokenLink",
  "not-json": "notJson",
};

/** Why the address shows no card, and the command that makes one that does. */
export function LinkFault({ fault }: { fault: PreviewFault }) {
  const say = useWords(PREVIEW);
  const command = `portico card preview card.json --base-url ${location.origin}`;
  return (
    <div className={styles.fault} data-preview="fault" data-fault={fault}>
      {fault === "no-card" ? (
        <EmptyState title={say("noCard")} hint={say("noCardDo")} />
      ) : (
        <Notice tone="error" role="alert" title={say(WORDS[fault])}>
          <p>{say("again")}</p>
        </Notice>
      )}
      <CodeBlock title="Shell" text={command} />
    </div>
  );
}
