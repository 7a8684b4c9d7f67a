import { ConfigProvider } from "antd";
import enUs from "antd/locale/en_US";
import zhCn from "antd/locale/zh_CN";
import { useMemo } from "react";
import { RouterProvider } from "react-router/dom";
import { usePreferences } from "../shared/look/preferences.ts";
import { antdTheme } from "./antd-theme.ts";
import { consoleRouter } from "./routes.tsx";
import { Toasts } from "./ui/toasts.tsx";

const ANTD_LOCALES = { "zh-CN": zhCn, "en-US": enUs };

/** The console, signed in: the one page that is made with Ant Design. */
export function Console() {
  const { locale, theme } = usePreferences();
  const themeConfig = useMemo(() => antdTheme(theme), [theme]);
  return (
    <ConfigProvider locale={ANTD_LOCALES[locale]} theme={themeConfig} button={{ autoInsertSpace: false }}>
      <Toasts>
        <RouterProvider router={consoleRouter} />
      </Toasts>
    </ConfigProvider>
  );
}

/** Settles when the code of the page that the address names is there. */
export async function firstPageLoaded(): Promise<void> {
  if (consoleRouter.state.initialized) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = consoleRouter.subscribe(({ initialized }) => {
    if (initialized) resolve();
  });
  await promise;
  end();
}
