import type { EventType, Transport } from "@portico/protocol";
import { Button, Dropdown } from "antd";
import { useState } from "react";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import type { AppDetail } from "../app/app-queries.ts";
import { ShownOnceDialog } from "../ui/shown-once-dialog.tsx";
import { ChangeDialog, UnsubscribeDialog } from "./change-dialogs.tsx";
import type { Subscription, useVerify } from "./event-queries.ts";
import styles from "./events-page.module.css";
import { SubscribeDialog } from "./subscribe-dialog.tsx";
import { EVENTS } from "./words.ts";

/** What stands in front of the page. */
type Open = "subscribe" | "rotate" | "pause" | "activate" | "unsubscribe";

/** What the owner can do about a type of event. */
export function EventActions({
  app,
  eventType,
  subscription,
  verify,
}: {
  app: AppDetail;
  eventType: EventType;
  subscription: Subscription | undefined;
  verify: ReturnType<typeof useVerify>;
}) {
  const say = useWords(EVENTS);
  const [open, setOpen] = useState<Open>();
  const [shown, setShown] = useState<{ secret: string; transport: Transport }>();
  const close = () => setOpen(undefined);
  const onSecret = (secret: string, transport: Transport) => {
    close();
    verify.reset();
    // A socket is signed with the application's credential: only who asks for the secret gets to see it.
    if (transport === "WEBHOOK" || open === "rotate") setShown({ secret, transport });
  };
  return (
    <div className={styles.actions}>
      {subscription === undefined ? (
        <Button onClick={() => setOpen("subscribe")}>{say("subscribe")}</Button>
      ) : (
        <SubscribedActions subscription={subscription} verify={verify} onOpen={setOpen} />
      )}
      {open === "subscribe" && (
        <SubscribeDialog
          app={app}
          eventType={eventType}
          subscription={subscription}
          onSecret={onSecret}
          onCancel={close}
        />
      )}
      {(open === "rotate" || open === "pause" || open === "activate") && subscription !== undefined && (
        <ChangeDialog app={app} subscription={subscription} change={open} onSecret={onSecret} onCancel={close} />
      )}
      {open === "unsubscribe" && <UnsubscribeDialog appId={app.appId} eventType={eventType} onClose={close} />}
      {shown !== undefined && (
        <ShownOnceDialog
          title={say("secretTitle")}
          warning={say(shown.transport === "SOCKET" ? "secretWarningSocket" : "secretWarning")}
          values={[
            { name: "eventType", value: eventType },
            { name: "secret", value: shown.secret },
          ]}
          onStored={() => setShown(undefined)}
        />
      )}
    </div>
  );
}

function SubscribedActions({
  subscription: { status },
  verify,
  onOpen,
}: {
  subscription: Subscription;
  verify: ReturnType<typeof useVerify>;
  onOpen: (open: Open) => void;
}) {
  const say = useWords(EVENTS);
  const sayShared = useWords(SHARED);
  const isActive = status === "ACTIVE";
  const rare = [
    { key: "address", label: say("changeAddress"), onClick: () => onOpen("subscribe") },
    isActive
      ? { key: "pause", label: say("pauseSubscription"), onClick: () => onOpen("pause") }
      : { key: "activate", label: say("activate"), onClick: () => onOpen("activate") },
  ];
  return (
    <>
      <Button size="small" disabled={!isActive} loading={verify.isPending} onClick={() => verify.mutate()}>
        {say("verify")}
      </Button>
      <Button size="small" onClick={() => onOpen("rotate")}>
        {say("rotate")}
      </Button>
      <Button size="small" danger onClick={() => onOpen("unsubscribe")}>
        {say("unsubscribe")}
      </Button>
      <Dropdown
        trigger={["click"]}
        placement="bottomRight"
        menu={{ items: rare }}
        // Within the page's landmarks, and beside its button for who goes by keyboard.
        getPopupContainer={(button) => button.parentElement ?? document.body}
      >
        <Button size="small">{sayShared("more")}</Button>
      </Dropdown>
    </>
  );
}
