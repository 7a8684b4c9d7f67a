import type { ClientMessage } from "@portico/protocol/schemas";
import { lazy, Suspense } from "react";
import { PartBoundary } from "../../shared/app/part-boundary.tsx";
import { TALK } from "../../shared/talk/words.ts";
import { useWords } from "../../shared/words/words.ts";
import { isBy } from "../live/sender.ts";
import { textOf } from "../log/message-content.ts";
import { MESSENGER } from "../words.ts";

// Comes with the renderer of cards, which is loaded when there is one.
const CardSummary = lazy(async () => ({ default: (await import("../log/card-summary.tsx")).CardSummary }));

/** A conversation's newest message in a line: who, and what it says; of a card its summary. */
export function LastMessage({
  message,
  myId,
  isGroup,
}: {
  message: ClientMessage | null;
  myId: string;
  isGroup: boolean;
}) {
  const say = useWords(MESSENGER);
  const sayTalk = useWords(TALK);
  if (message === null) return null;
  if (message.recalled) return say("lastRecalled");
  const text = textOf(message, say, sayTalk);
  const isMine = isBy(message, myId);
  return (
    <>
      {(isMine || isGroup) && `${isMine ? sayTalk("you") : message.sender.name}: `}
      {message.msgType === "card" ? (
        <PartBoundary key={message.messageId} instead={text}>
          <Suspense fallback={text}>
            <CardSummary content={message.content} fallback={text} />
          </Suspense>
        </PartBoundary>
      ) : (
        text
      )}
    </>
  );
}
