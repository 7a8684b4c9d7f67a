import { APP_TYPES, type AppType } from "@portico/protocol";
import { Button, Form, Input, Radio, Select } from "antd";
import { useNavigate } from "react-router";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { APP_TYPE_WORDS } from "../app/app-status.tsx";
import { useMe } from "../me.ts";
import { whilePending } from "../ui/action-dialog.tsx";
import { Modal } from "../ui/modal.tsx";
import { ShownOnceDialog } from "../ui/shown-once-dialog.tsx";
import { useAtMost } from "../ui/use-at-most.ts";
import { CONSOLE } from "../words.ts";
import { type NewApp, useCreateApp } from "./apps-queries.ts";
import { APPS } from "./words.ts";

const MAX_NAME_LENGTH = 64;
const TYPE_HINTS = {
  BOT: "hintBot",
  CUSTOMER_SERVICE: "hintCustomerService",
  MINI_PROGRAM: "hintMiniProgram",
} as const satisfies Record<AppType, string>;

/** Asks for a new application, then shows its credential, this once. */
export function NewAppDialogs({ onDone }: { onDone: () => void }) {
  const say = useWords(APPS);
  const create = useCreateApp();
  const navigate = useNavigate();
  if (create.data === undefined) return <NewAppDialog create={create} onCancel={onDone} />;
  const { appId, credentialId, appSecret, displayName } = create.data;
  return (
    <ShownOnceDialog
      title={say("created", { name: displayName })}
      warning={say("keepSecret")}
      values={[
        { name: "appId", value: appId },
        { name: "credentialId", value: credentialId },
        { name: "appSecret", value: appSecret },
      ]}
      onStored={() => {
        onDone();
        void navigate(`/apps/${encodeURIComponent(appId)}`);
      }}
    />
  );
}

function NewAppDialog({ create, onCancel }: { create: ReturnType<typeof useCreateApp>; onCancel: () => void }) {
  const say = useWords(APPS);
  const atMost = useAtMost();
  const sayConsole = useWords(CONSOLE);
  const sayShared = useWords(SHARED);
  const meQuery = useMe();
  const tenants = meQuery.data?.tenants ?? [];
  const [form] = Form.useForm<NewApp>();
  const type = Form.useWatch("type", form) ?? "BOT";
  return (
    <Modal
      title={say("newApp")}
      width={480}
      {...whilePending(create.isPending)}
      onCancel={onCancel}
      footer={
        <>
          <Button disabled={create.isPending} onClick={onCancel}>
            {sayShared("cancel")}
          </Button>
          <Button type="primary" loading={create.isPending} onClick={() => form.submit()}>
            {say("create")}
          </Button>
        </>
      }
    >
      <Form<NewApp>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ type: "BOT" }}
        onFinish={(fields) => {
          if (!create.isPending) create.mutate({ ...fields, displayName: fields.displayName.trim() });
        }}
      >
        <Form.Item
          name="displayName"
          label={say("name")}
          rules={[{ required: true, whitespace: true, message: say("needName") }, atMost(MAX_NAME_LENGTH)]}
        >
          <Input autoFocus autoComplete="off" />
        </Form.Item>
        <Form.Item name="type" label={say("type")} extra={say(TYPE_HINTS[type])}>
          <Radio.Group options={APP_TYPES.map((each) => ({ value: each, label: sayConsole(APP_TYPE_WORDS[each]) }))} />
        </Form.Item>
        {tenants.length > 1 && (
          <Form.Item
            name="tenantId"
            label={say("tenant")}
            extra={say("tenantHint")}
            initialValue={tenants[0]?.tenantId}
          >
            <Select options={tenants.map(({ tenantId, name }) => ({ value: tenantId, label: name }))} />
          </Form.Item>
        )}
        {create.isError && <ErrorNotice error={create.error} />}
      </Form>
    </Modal>
  );
}
