import type { Static } from "typebox";
import * as Type from "typebox";
import { nullable } from "./parts.ts";
import { plainText } from "./plain-text.ts";

/** The most characters of a text that a widget shows to visitors. */
export const MAX_WIDGET_TEXT_LENGTH = 500;
/** The most spans of opening hours: three a day. */
export const MAX_OPENING_SPANS = 21;

/** The corner of the page that a widget's button is in. */
export const WIDGET_POSITIONS = ["right", "left"] as const;
export type WidgetPosition = (typeof WIDGET_POSITIONS)[number];

/** The language of a widget; `auto` is the visitor's own. */
export const WIDGET_LOCALES = ["auto", "zh-CN", "en-US"] as const;
export type WidgetLocale = (typeof WIDGET_LOCALES)[number];

const clock = (pattern: string, description: string) => Type.String({ pattern, description });

/** A span of a day in which somebody answers. */
const openingSpan = Type.Object({
  day: Type.Integer({ minimum: 1, maximum: 7, description: "1 is Monday" }),
  from: clock("^(?:[01]\\d|2[0-3]):[0-5]\\d$", "Such as 09:00"),
  to: clock("^(?:(?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$", "Later than `from`; 24:00 is the end of the day"),
});

const openingHours = Type.Object({
  timeZone: Type.String({ minLength: 1, maxLength: 64, description: "A name such as Asia/Shanghai" }),
  days: Type.Array(openingSpan, { maxItems: MAX_OPENING_SPANS }),
});
export type OpeningHours = Static<typeof openingHours>;

const settings = {
  greeting: plainText({ maxLength: MAX_WIDGET_TEXT_LENGTH, description: "Shown above the conversation" }),
  themeColor: Type.String({ pattern: "^#[0-9a-fA-F]{6}$", description: "Such as #2456e6" }),
  position: Type.Enum([...WIDGET_POSITIONS]),
  locale: Type.Enum([...WIDGET_LOCALES], { description: "auto: the visitor's own language" }),
  openingHours: nullable(openingHours),
  offlineMessage: plainText({ maxLength: MAX_WIDGET_TEXT_LENGTH, description: "Shown while nobody answers" }),
};

/** How an application's widget looks and when somebody answers (docs/contract/customer-service.md#the-widget). */
export const WidgetSettingsSchema = Type.Object(settings);
export type WidgetSettings = Static<typeof WidgetSettingsSchema>;

/** A change of the settings; missing members do not change. */
export const WidgetSettingsBodySchema = Type.Object({
  greeting: Type.Optional(settings.greeting),
  themeColor: Type.Optional(settings.themeColor),
  position: Type.Optional(settings.position),
  locale: Type.Optional(settings.locale),
  openingHours: Type.Optional(settings.openingHours),
  offlineMessage: Type.Optional(settings.offlineMessage),
});
export type WidgetSettingsBody = Static<typeof WidgetSettingsBodySchema>;

/** The settings of an application whose owner has set none. Empty texts stand for the widget's own words. */
export const DEFAULT_WIDGET_SETTINGS: WidgetSettings = {
  greeting: "",
  themeColor: "#2456e6",
  position: "right",
  locale: "auto",
  openingHours: null,
  offlineMessage: "",
};
