import type { CallRefusal } from "@portico/protocol";
import { Input } from "antd";
import { type ReactNode, useId, useState } from "react";
import { CopyButton } from "../../shared/ui/copy-button.tsx";
import { useWords } from "../../shared/words/words.ts";
import styles from "./canonical-diff.module.css";
import { CanonicalLines } from "./canonical-diff.tsx";
import { isKeyMistake, type SignedText, signedText, textOfMistakes, textOfPaste } from "./signed-lines.ts";
import { REQUESTS } from "./words.ts";

type SignatureDetails = Extract<CallRefusal, { check: "signature" }>["details"];

/** The longest text that can be pasted: eight lines as long as a request can make them. */
const MAX_PASTE = 64_000;

/** The canonical string that the service built beside the one that the client must have signed. */
export function SignatureComparison({ details, rawQuery }: { details: SignatureDetails; rawQuery: string }) {
  const say = useWords(REQUESTS);
  const [paste, setPaste] = useState("");
  const due = details.lines.map(({ value }) => value);
  const service = signedText(due);
  const client = paste === "" ? textOfMistakes(due, rawQuery, details.mistakes ?? []) : textOfPaste(paste);
  const isSame = client.joint === service.joint && client.lines.join("\n") === due.join("\n");
  const isUnknown = paste === "" && isSame && client.outside.length === 0;
  return (
    <>
      <div className={styles.pair}>
        <Side title={say("serviceBuilt")} copy={due.join("\n")}>
          {due.length === 0 && <p>{say("noCanonical")}</p>}
          <CanonicalLines text={service} other={client} unknown={say("otherBytes")} />
          <Outside
            differs={client.outside}
            keyText={say("keyDue", { credentialId: due[4] ?? "" })}
            signatureText={say("signatureDue")}
          />
          {details.truncated && <p>{say("truncated")}</p>}
        </Side>
        <Side title={say("clientBuilt")}>
          <CanonicalLines text={client} other={service} unknown={say("otherBytes")} />
          {paste === "" && (
            <Outside
              differs={isUnknown ? ["key"] : client.outside}
              keyText={say(details.mistakes?.find(isKeyMistake) ?? "unknownKey")}
              signatureText={say("signatureCame", details.received)}
              isMarked
            />
          )}
          <p>{say(remark(details, paste, isSame, client))}</p>
        </Side>
      </div>
      <Paste value={paste} onChange={setPaste} />
    </>
  );
}

function remark({ mistakes }: SignatureDetails, paste: string, isSame: boolean, client: SignedText) {
  if (paste !== "") return isSame ? "pastedSame" : "pastedDiffers";
  if (mistakes === null) return "notLookedInto";
  if (mistakes.length === 0) return "unknownHint";
  return isSame && client.outside.length > 0 ? "foundOutside" : "foundByMistake";
}

function Side({ title, copy, children }: { title: string; copy?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className={styles.side}>
      <header>
        <h2>{title}</h2>
        {copy !== undefined && copy !== "" && <CopyButton text={copy} label={title} />}
      </header>
      {children}
    </section>
  );
}

/** What differs besides the lines. */
function Outside({
  differs,
  keyText,
  signatureText,
  isMarked = false,
}: {
  differs: readonly ("key" | "signature")[];
  keyText: string;
  signatureText: string;
  isMarked?: boolean;
}) {
  const say = useWords(REQUESTS);
  if (differs.length === 0) return null;
  const rows = differs.map((which) => ({ which, text: which === "key" ? keyText : signatureText }));
  return (
    <dl className={styles.rows}>
      {rows.map(({ which, text }) => (
        <div key={which} data-wrong="true">
          <dt>{say(which)}</dt>
          <dd>{isMarked ? <mark>{text}</mark> : text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Paste({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const say = useWords(REQUESTS);
  const id = useId();
  return (
    <div className={styles.paste}>
      <label htmlFor={id}>{say("paste")}</label>
      <Input.TextArea
        id={id}
        value={value}
        maxLength={MAX_PASTE}
        autoSize={{ minRows: 2, maxRows: 10 }}
        spellCheck={false}
        aria-describedby={`${id}-hint`}
        placeholder={"POST\n/api/open/v2/bot/messages\n…"}
        onChange={({ target }) => onChange(target.value)}
      />
      <small id={`${id}-hint`}>{say("pasteHint")}</small>
    </div>
  );
}
