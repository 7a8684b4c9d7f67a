import { CloseCircleOutlined, IdcardOutlined, SwapOutlined } from "@ant-design/icons-svg";
import { BackButton } from "../../shared/talk/pane/back-button.tsx";
import pane from "../../shared/talk/pane/pane.module.css";
import { Avatar } from "../../shared/ui/avatar.tsx";
import { useWords } from "../../shared/words/words.ts";
import { type Conversation, nameOf } from "../live/conversation.ts";
import { useDeskNow } from "../live/use-desk.ts";
import { goTo } from "../shell/desk-path.ts";
import { DESK } from "../words.ts";
import { HeaderButton } from "./header-button.tsx";
import styles from "./open-conversation.module.css";

/** Whom the open conversation is with, and what can be done with it. */
export function ConversationHeader({
  conversation,
  canChange,
  showsDetails,
  onDetails,
  onDialog,
}: {
  conversation: Conversation;
  canChange: boolean;
  showsDetails: boolean;
  onDetails: () => void;
  onDialog: (dialog: "close" | "transfer") => void;
}) {
  const say = useWords(DESK);
  const { apps } = useDeskNow();
  const { appId, visitor, session } = conversation;
  const name = nameOf(visitor);
  const app = apps?.find((each) => each.appId === appId)?.name;
  return (
    <header className={pane.header}>
      <BackButton label={say("back")} onClick={() => goTo(null)} />
      <Avatar id={visitor.visitorId} name={name} size={32} />
      <div className={styles.titles}>
        <h1 className={styles.name} dir="auto">
          {name}
        </h1>
        <span className={styles.app} dir="auto">
          {[app, session.subject].filter(Boolean).join(" · ")}
        </span>
      </div>
      <span className={styles.details}>
        <HeaderButton icon={IdcardOutlined} label={say("details")} isExpanded={showsDetails} onClick={onDetails} />
      </span>
      {canChange && (
        <>
          <HeaderButton icon={SwapOutlined} label={say("transfer")} onClick={() => onDialog("transfer")} />
          <HeaderButton icon={CloseCircleOutlined} label={say("close")} onClick={() => onDialog("close")} />
        </>
      )}
    </header>
  );
}
