import { BackButton } from "../../shared/talk/pane/back-button.tsx";
import pane from "../../shared/talk/pane/pane.module.css";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useConversation, useDeskNow } from "../live/use-desk.ts";
import { goTo } from "../shell/desk-path.ts";
import { DESK } from "../words.ts";
import { OpenConversation } from "./open-conversation.tsx";

/** The conversation that is open, or the word that none is. */
export function ConversationPane({ id }: { id: string | null }) {
  const say = useWords(DESK);
  const { apps } = useDeskNow();
  const conversation = useConversation(id);
  if (conversation !== undefined) {
    return (
      <section className={pane.pane}>
        <OpenConversation key={conversation.id} conversation={conversation} />
      </section>
    );
  }
  return (
    <section className={pane.pane}>
      {id !== null && (
        <header className={pane.header}>
          {/* A phone shows the one or the other, and a page has one heading. */}
          <h1 className="visually-hidden">{say("area")}</h1>
          <BackButton label={say("back")} onClick={() => goTo(null)} />
        </header>
      )}
      {apps !== null && apps.length > 0 && (
        <div className={pane.none}>
          <EmptyState
            title={say(id === null ? "choose" : "unknown")}
            hint={say(id === null ? "chooseHint" : "unknownHint")}
          />
        </div>
      )}
    </section>
  );
}
