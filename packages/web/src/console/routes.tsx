import { createBrowserRouter, Navigate } from "react-router";
import { NotFound } from "../shared/app/not-found.tsx";
import { RouteFault } from "../shared/app/route-fault.tsx";
import { appRoutes } from "./app/app-routes.ts";
import { ConsoleShell } from "./shell/console-shell.tsx";

/** The console's pages; each is loaded when it is first opened. */
export const consoleRouter = createBrowserRouter(
  [
    {
      element: <ConsoleShell />,
      errorElement: <RouteFault />,
      // The first page is there in a moment; nothing is better than a skeleton of another one.
      hydrateFallbackElement: <div />,
      children: [
        { index: true, element: <Navigate to="/apps" replace /> },
        { path: "apps", lazy: async () => ({ Component: (await import("./apps/apps-page.tsx")).AppsPage }) },
        {
          path: "apps/:appId",
          lazy: async () => ({ Component: (await import("./app/app-shell.tsx")).AppShell }),
          children: [...appRoutes, { path: "*", element: <NotFound /> }],
        },
        {
          path: "sessions",
          lazy: async () => ({ Component: (await import("./sessions/sessions-page.tsx")).SessionsPage }),
        },
        { path: "*", element: <NotFound /> },
      ],
    },
  ],
  { basename: "/console" },
);
