import { Button, Form, Input } from "antd";
import { consoleApi } from "../../shared/session/console.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Section } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { AppAvatar } from "../app/app-avatar.tsx";
import { useApp } from "../app/app-context.ts";
import { type AppDetail, useAppChange } from "../app/app-queries.ts";
import { FormButtons } from "../ui/form-buttons.tsx";
import { useAtMost } from "../ui/use-at-most.ts";
import { useEditing } from "../ui/use-editing.ts";
import styles from "./profile-section.module.css";
import { OVERVIEW } from "./words.ts";

/** What others see of an application; its owner changes it here. */
export function ProfileSection() {
  const say = useWords(OVERVIEW);
  const { app, isOwner } = useApp();
  const { isEditing, begin, end, button } = useEditing();
  const change = (
    <Button ref={button} onClick={begin}>
      {say("edit")}
    </Button>
  );
  return (
    <div id="profile" className={styles.anchor}>
      <Section title={say("profile")} lead={say("profileLead")} actions={isOwner && !isEditing && change}>
        {isEditing ? <ProfileForm app={app} onDone={end} /> : <Profile app={app} />}
      </Section>
    </div>
  );
}

function Profile({ app }: { app: AppDetail }) {
  const say = useWords(OVERVIEW);
  return (
    <div className={styles.profile}>
      <AppAvatar app={app} size={56} />
      <div>
        <strong>{app.displayName}</strong>
        <p className={styles.description}>{app.description || say("noDescription")}</p>
      </div>
    </div>
  );
}

type Fields = Pick<AppDetail, "displayName" | "avatar" | "description">;

function ProfileForm({ app, onDone }: { app: AppDetail; onDone: () => void }) {
  const say = useWords(OVERVIEW);
  const atMost = useAtMost();
  const params = { appId: app.appId };
  const save = useAppChange(app.appId, (body: Fields) => consoleApi.updateApp({ params, body }));
  return (
    <Form<Fields>
      className={styles.form}
      layout="vertical"
      requiredMark={false}
      initialValues={{ displayName: app.displayName, avatar: app.avatar, description: app.description }}
      onFinish={({ displayName, avatar, description }) => {
        if (save.isPending) return;
        save.mutate(
          { displayName: displayName.trim(), avatar: avatar.trim(), description: description.trim() },
          { onSuccess: onDone },
        );
      }}
    >
      <Form.Item
        name="displayName"
        label={say("displayName")}
        rules={[{ required: true, whitespace: true, message: say("needName") }, atMost(64)]}
      >
        <Input autoFocus autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="avatar"
        label={say("avatar")}
        extra={say("avatarHint")}
        rules={[{ pattern: /^\s*(https:\/\/\S+)?\s*$/i, message: say("needAvatar") }]}
      >
        <Input type="url" autoComplete="off" maxLength={2_048} placeholder="https://" />
      </Form.Item>
      <Form.Item name="description" label={say("description")} extra={say("descriptionHint")} rules={[atMost(2_000)]}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} />
      </Form.Item>
      {save.isError && <ErrorNotice error={save.error} />}
      <FormButtons isPending={save.isPending} onCancel={onDone} />
    </Form>
  );
}
