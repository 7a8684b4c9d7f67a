import {
  MAX_WIDGET_TEXT_LENGTH,
  WIDGET_LOCALES,
  WIDGET_POSITIONS,
  type WidgetSettings,
} from "@portico/protocol/schemas";
import { Button, Form, type FormInstance, Input, Radio, Select } from "antd";
import { useEffect } from "react";
import { contrast } from "../../shared/look/contrast.ts";
import { consoleApi } from "../../shared/session/console.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Section } from "../../shared/ui/page.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useAppChange } from "../app/app-queries.ts";
import { useToast } from "../ui/toasts.tsx";
import { useAtMost } from "../ui/use-at-most.ts";
import { HoursField } from "./hours-field.tsx";
import { isWrongSpan } from "./opening-hours.ts";
import styles from "./widget-page.module.css";
import { WidgetPreview } from "./widget-preview.tsx";
import { WIDGET } from "./words.ts";

/** What has less contrast with a white page is hardly seen (WCAG 2.2, 1.4.11). */
const LEAST_CONTRAST = 3;

const FIELDS = ["greeting", "offlineMessage", "themeColor", "position", "locale", "openingHours"] as const;

/** How the widget looks and when somebody answers, beside a picture of it. */
export function LookSection() {
  const say = useWords(WIDGET);
  const sayShared = useWords(SHARED);
  const toast = useToast();
  const { app, isOwner } = useApp();
  const { appId, widget } = app;
  const [form] = Form.useForm<WidgetSettings>();
  const shown: WidgetSettings = { ...widget, ...Form.useWatch([], form) };
  const save = useAppChange(appId, (settings: Partial<WidgetSettings>) =>
    consoleApi.updateApp({ params: { appId }, body: { widget: settings } }),
  );
  useEffect(() => {
    // What somebody else has saved is shown, but for the fields that are being edited here.
    for (const name of FIELDS) if (!form.isFieldTouched(name)) form.setFieldValue(name, widget[name]);
  }, [form, widget]);
  const onSaved = () => {
    form.setFields(FIELDS.map((name) => ({ name, touched: false })));
    toast(say("saved"));
  };
  return (
    <Section title={say("look")} lead={say("lookLead")}>
      <div className={styles.look}>
        <Form<WidgetSettings>
          form={form}
          layout="vertical"
          requiredMark={false}
          disabled={!isOwner}
          initialValues={widget}
          onFinish={(settings) => {
            if (!save.isPending) save.mutate(touchedOf(form, settings), { onSuccess: onSaved });
          }}
        >
          <TextItem name="greeting" hint={say("greetingHint", { text: say("defaultGreeting") })} />
          <TextItem name="offlineMessage" hint={say("offlineMessageHint", { text: say("defaultOffline") })} />
          <Form.Item
            name="themeColor"
            label={say("themeColor")}
            extra={contrast(shown.themeColor, "#ffffff") < LEAST_CONTRAST ? say("themeColorPale") : undefined}
          >
            <ColorInput />
          </Form.Item>
          <Form.Item name="position" label={say("position")}>
            <Radio.Group options={WIDGET_POSITIONS.map((value) => ({ value, label: say(value) }))} />
          </Form.Item>
          <Form.Item name="locale" label={say("locale")}>
            <Select
              aria-label={say("locale")}
              options={WIDGET_LOCALES.map((value) => ({ value, label: say(value) }))}
            />
          </Form.Item>
          <Form.Item
            name="openingHours"
            label={say("hours")}
            validateTrigger="onSubmit"
            rules={[
              {
                async validator(_, hours: WidgetSettings["openingHours"]) {
                  if (hours?.days.some(isWrongSpan)) throw new Error(say("spanWrong"));
                },
              },
            ]}
          >
            <HoursField />
          </Form.Item>
          {save.isError && <ErrorNotice error={save.error} />}
          {isOwner && (
            <Button type="primary" htmlType="submit" loading={save.isPending}>
              {sayShared("save")}
            </Button>
          )}
        </Form>
        <WidgetPreview name={app.displayName} settings={shown} />
      </div>
    </Section>
  );
}

/** What was edited; the rest may have been saved by somebody else meanwhile. */
function touchedOf(form: FormInstance<WidgetSettings>, settings: WidgetSettings): Partial<WidgetSettings> {
  const touched = FIELDS.filter((name) => form.isFieldTouched(name));
  return Object.fromEntries(touched.map((name) => [name, settings[name]]));
}

function TextItem({ name, hint }: { name: "greeting" | "offlineMessage"; hint: string }) {
  const say = useWords(WIDGET);
  const atMost = useAtMost();
  return (
    <Form.Item name={name} label={say(name)} extra={hint} rules={[atMost(MAX_WIDGET_TEXT_LENGTH)]}>
      <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} />
    </Form.Item>
  );
}

/** The browser's own choice of a colour; the form gives the rest. */
function ColorInput({ value = "", onChange, id }: { value?: string; onChange?: (value: string) => void; id?: string }) {
  const { isOwner } = useApp();
  return (
    <div className={styles.color}>
      <input
        id={id}
        type="color"
        disabled={!isOwner}
        value={value}
        onChange={({ target }) => onChange?.(target.value)}
      />
      <code>{value}</code>
    </div>
  );
}
