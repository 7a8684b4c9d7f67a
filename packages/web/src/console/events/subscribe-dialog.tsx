import { EVENT_SCOPES, type EventType, type Transport } from "@portico/protocol";
import { Button, Form, Input, Radio } from "antd";
import { useId } from "react";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import type { AppDetail } from "../app/app-queries.ts";
import { whilePending } from "../ui/action-dialog.tsx";
import { Modal } from "../ui/modal.tsx";
import { type Subscription, scopeStateOf, transportOf, useSubscribe } from "./event-queries.ts";
import styles from "./events-page.module.css";
import { EVENTS } from "./words.ts";

/** Asks how and where an event is to be delivered; also of a subscription whose address is to change. */
export function SubscribeDialog({
  app,
  eventType,
  subscription,
  onSecret,
  onCancel,
}: {
  app: AppDetail;
  eventType: EventType;
  subscription: Subscription | undefined;
  onSecret: (secret: string, transport: Transport) => void;
  onCancel: () => void;
}) {
  const say = useWords(EVENTS);
  const sayShared = useWords(SHARED);
  const formId = useId();
  const subscribe = useSubscribe(app, eventType);
  const scope = EVENT_SCOPES[eventType];
  const asksScope = scope !== null && scopeStateOf(app, eventType) === "NONE";
  return (
    <Modal
      title={subscription === undefined ? say("subscribeTo", { eventType }) : say("changeAddress")}
      {...whilePending(subscribe.isPending)}
      onCancel={onCancel}
      footer={
        <>
          <Button disabled={subscribe.isPending} onClick={onCancel}>
            {sayShared("cancel")}
          </Button>
          <Button type="primary" htmlType="submit" form={formId} loading={subscribe.isPending}>
            {say(subscription === undefined ? "subscribe" : "changeAddress")}
          </Button>
        </>
      }
    >
      <Form<{ transport: Transport; callbackUrl?: string }>
        id={formId}
        layout="vertical"
        requiredMark={false}
        initialValues={{ transport: transportOf(subscription), callbackUrl: subscription?.callbackUrl ?? "" }}
        onFinish={({ transport, callbackUrl = "" }) =>
          subscribe.mutate(
            {
              ...(transport === "SOCKET" ? { transport } : { callbackUrl: callbackUrl.trim() }),
              ...(subscription && { status: subscription.status }),
            },
            { onSuccess: ({ secret }) => onSecret(secret, transport) },
          )
        }
      >
        <TransportField />
        <Form.Item noStyle dependencies={["transport"]}>
          {({ getFieldValue }) => getFieldValue("transport") === "WEBHOOK" && <CallbackField />}
        </Form.Item>
        <Form.Item noStyle dependencies={["transport"]}>
          {({ getFieldValue }) =>
            subscription !== undefined &&
            getFieldValue("transport") === "WEBHOOK" && <p className={styles.quiet}>{say("newSecretNote")}</p>
          }
        </Form.Item>
        {asksScope && <p className={styles.quiet}>{say("asksScope", { scope })}</p>}
        {subscribe.error !== null && <ErrorNotice error={subscribe.error} />}
      </Form>
    </Modal>
  );
}

/** To an address, or over a connection that a program opens itself. */
function TransportField() {
  const say = useWords(EVENTS);
  const id = useId();
  return (
    <Form.Item name="transport" label={<span id={id}>{say("transport")}</span>}>
      <Radio.Group className={styles.transport} aria-labelledby={id}>
        <div>
          <Radio value="WEBHOOK" aria-describedby={`${id}-webhook`}>
            {say("webhook")}
          </Radio>
          <small id={`${id}-webhook`}>{say("webhookHint")}</small>
        </div>
        <div>
          <Radio value="SOCKET" aria-describedby={`${id}-socket`}>
            {say("socket")}
          </Radio>
          <small id={`${id}-socket`}>{say("socketHint")}</small>
        </div>
      </Radio.Group>
    </Form.Item>
  );
}

function CallbackField() {
  const say = useWords(EVENTS);
  return (
    <Form.Item
      name="callbackUrl"
      label={say("callbackAddress")}
      extra={say("callbackHint")}
      rules={[
        {
          required: true,
          pattern: /^\s*(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\]))\S/i,
          message: say("callbackNeeded"),
        },
      ]}
      validateTrigger="onSubmit"
    >
      <Input placeholder="https://bot.example.com/webhook" inputMode="url" autoComplete="off" spellCheck={false} />
    </Form.Item>
  );
}
