import type { EventType, SubscriptionState, Transport } from "@portico/protocol";
import { useWords } from "../../shared/words/words.ts";
import type { AppDetail } from "../app/app-queries.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { type Subscription, transportOf, useSubscribe, useUnsubscribe } from "./event-queries.ts";
import { EVENTS } from "./words.ts";

const CHANGES = {
  rotate: {
    title: "rotateTitle",
    text: "rotateText",
    textSocket: "rotateTextSocket",
    action: "rotate",
    isDangerous: true,
  },
  pause: {
    title: "pauseTitle",
    text: "pauseText",
    textSocket: "pauseTextSocket",
    action: "pauseSubscription",
    isDangerous: true,
  },
  activate: {
    title: "activateTitle",
    text: "activateText",
    textSocket: "activateTextSocket",
    action: "activate",
    isDangerous: false,
  },
} as const;

/** Asks before a subscription gets a new secret: alone, or with another state. */
export function ChangeDialog({
  app,
  subscription,
  change,
  onSecret,
  onCancel,
}: {
  app: AppDetail;
  subscription: Subscription;
  change: keyof typeof CHANGES;
  onSecret: (secret: string, transport: Transport) => void;
  onCancel: () => void;
}) {
  const say = useWords(EVENTS);
  const { eventType, callbackUrl, status } = subscription;
  const transport = transportOf(subscription);
  const subscribe = useSubscribe(app, eventType);
  const { title, text, textSocket, action, isDangerous } = CHANGES[change];
  const states: Record<keyof typeof CHANGES, SubscriptionState> = {
    rotate: status,
    pause: "INACTIVE",
    activate: "ACTIVE",
  };
  return (
    <ConfirmDialog
      title={say(title, { eventType })}
      action={say(action)}
      isDangerous={isDangerous}
      isPending={subscribe.isPending}
      error={subscribe.error}
      onConfirm={() =>
        subscribe.mutate(
          { ...(callbackUrl === null ? { transport } : { callbackUrl }), status: states[change] },
          { onSuccess: ({ secret }) => onSecret(secret, transport) },
        )
      }
      onCancel={onCancel}
    >
      <p>{say(transport === "SOCKET" ? textSocket : text)}</p>
    </ConfirmDialog>
  );
}

/** Asks before a subscription ends. */
export function UnsubscribeDialog({
  appId,
  eventType,
  onClose,
}: {
  appId: string;
  eventType: EventType;
  onClose: () => void;
}) {
  const say = useWords(EVENTS);
  const unsubscribe = useUnsubscribe(appId, eventType);
  return (
    <ConfirmDialog
      title={say("unsubscribeTitle", { eventType })}
      action={say("unsubscribe")}
      isDangerous
      isPending={unsubscribe.isPending}
      error={unsubscribe.error}
      onConfirm={() => unsubscribe.mutate(undefined, { onSuccess: onClose })}
      onCancel={onClose}
    >
      <p>{say("unsubscribeText")}</p>
    </ConfirmDialog>
  );
}
