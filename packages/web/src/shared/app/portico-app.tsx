import { ConfigProvider } from "antd";
import enUs from "antd/locale/en_US";
import zhCn from "antd/locale/zh_CN";
import { type ReactNode, StrictMode, useMemo } from "react";
import { createRoot } from "react-dom/client";
import { antdTheme } from "../look/antd-theme.ts";
import { usePreferences } from "../look/preferences.ts";
import "../look/tokens.css";
import { Answers } from "./answers.tsx";
import { PageBoundary } from "./page-boundary.tsx";

const ANTD_LOCALES = { "zh-CN": zhCn, "en-US": enUs };

/** Draws a bundle's page into the document, with the language, the look and the answers that all pages share. */
export function mount(page: ReactNode): void {
  const root = document.getElementById("root");
  if (root === null) throw new Error("the document has no element for the page");
  createRoot(root).render(
    <StrictMode>
      <PorticoApp>{page}</PorticoApp>
    </StrictMode>,
  );
}

function PorticoApp({ children }: { children: ReactNode }) {
  const { locale, theme } = usePreferences();
  const themeConfig = useMemo(() => antdTheme(theme), [theme]);
  return (
    <ConfigProvider locale={ANTD_LOCALES[locale]} theme={themeConfig} button={{ autoInsertSpace: false }}>
      <Answers>
        <PageBoundary>{children}</PageBoundary>
      </Answers>
    </ConfigProvider>
  );
}
