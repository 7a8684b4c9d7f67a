import { theme as antd, type ThemeConfig } from "antd";
import type { Theme } from "../shared/look/preferences.ts";

const LIGHT = {
  colorPrimary: "#2456e6",
  colorLink: "#1d4ad0",
  colorBgBase: "#ffffff",
  colorTextBase: "#1b1f27",
  colorBorder: "#cfd3da",
  colorBorderSecondary: "#e4e6eb",
  colorTextSecondary: "#5a6270",
  colorTextTertiary: "#626a77",
  colorTextDescription: "#5a6270",
  colorTextPlaceholder: "#6a717e",
  colorError: "#c42b2b",
  colorSuccess: "#1a7f45",
  colorWarning: "#a86200",
};

const DARK = {
  colorPrimary: "#4a78f5",
  colorLink: "#8fadff",
  colorBgBase: "#15171c",
  colorBgContainer: "#15171c",
  colorBgElevated: "#1d2026",
  colorTextBase: "#e8eaee",
  colorBorder: "#414853",
  colorBorderSecondary: "#2b3038",
  colorTextSecondary: "#a5adba",
  colorTextTertiary: "#939ba8",
  colorTextDescription: "#a5adba",
  colorTextPlaceholder: "#8b93a0",
  colorError: "#ff7b74",
  colorSuccess: "#5fcf8c",
  colorWarning: "#f0b35c",
};

/** The colours that Ant Design derives for buttons have too little contrast where the pointer is, and of what is dangerous. */
const LIGHT_BUTTON = {
  defaultHoverColor: "#1d4ad0",
  defaultHoverBorderColor: "#1d4ad0",
  colorPrimaryHover: "#3a67e8",
  colorErrorHover: "#ab2323",
};
const DARK_BUTTON = {
  // As below white text on the other pages: the primary button is the same everywhere.
  colorPrimary: "#2456e6",
  colorPrimaryHover: "#3a67e8",
  colorPrimaryActive: "#2456e6",
  defaultHoverColor: "#8fadff",
  defaultHoverBorderColor: "#8fadff",
  colorError: "#ff8a84",
  colorErrorHover: "#ffa8a3",
  colorErrorActive: "#ff8a84",
  dangerColor: "#15171c",
};

/**
 * Whether the person wants things to move. Ant Design waits for the end of its motions, which never comes where the style
 * sheets have taken them away; so it must know. Asked once: it would make its whole tree anew at a change.
 */
const MOVES = !matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Ant Design in the pages' colours and sizes, which tokens.css has for the rest. A few are a shade apart, where Ant
 * Design puts other text on them.
 */
export function antdTheme(theme: Theme): ThemeConfig {
  const isDark = theme === "dark";
  const palette = isDark ? DARK : LIGHT;
  return {
    algorithm: isDark ? antd.darkAlgorithm : antd.defaultAlgorithm,
    token: {
      ...palette,
      borderRadius: 8,
      borderRadiusLG: 8,
      borderRadiusSM: 6,
      fontFamily: "var(--font)",
      fontFamilyCode: "var(--mono)",
      fontSize: 14,
      controlHeight: 34,
      motion: MOVES,
      motionDurationFast: "0.12s",
      motionDurationMid: "0.16s",
      motionDurationSlow: "0.2s",
      wireframe: false,
    },
    components: {
      Button: {
        ...(isDark ? DARK_BUTTON : LIGHT_BUTTON),
        primaryShadow: "none",
        defaultShadow: "none",
        dangerShadow: "none",
        fontWeight: 500,
      },
      // Of text, the accent's shade is that of links.
      Tabs: {
        itemSelectedColor: palette.colorLink,
        itemHoverColor: palette.colorLink,
        itemActiveColor: palette.colorLink,
        inkBarColor: palette.colorLink,
      },
      Checkbox: { borderRadiusSM: 4 },
      Segmented: isDark ? { trackBg: "#23272e", itemSelectedBg: "#414853" } : {},
      Table: { headerBg: "transparent", headerSplitColor: "transparent", cellPaddingBlock: 10, cellPaddingInline: 12 },
      Modal: { titleFontSize: 17 },
    },
  };
}
