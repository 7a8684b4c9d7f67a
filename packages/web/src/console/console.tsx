import { App as AntdApp } from "antd";
import { RouterProvider } from "react-router/dom";
import { consoleRouter } from "./routes.tsx";

/** The console, signed in. */
export function Console() {
  return (
    <AntdApp component={false} message={{ maxCount: 3 }}>
      <RouterProvider router={consoleRouter} />
    </AntdApp>
  );
}
