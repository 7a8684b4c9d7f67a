import { createBrowserRouter, Navigate, type RouteObject } from "react-router";
import { NotFound } from "../shared/app/not-found.tsx";
import { PageFault, RouteFault } from "../shared/app/route-fault.tsx";
import { appRoutes } from "./app/app-routes.ts";
import { operatorRoutes } from "./operator/shell/operator-routes.tsx";
import { ConsoleShell } from "./shell/console-shell.tsx";

const pages: RouteObject[] = [
  { index: true, element: <Navigate to="/apps" replace /> },
  { path: "apps", lazy: async () => ({ Component: (await import("./apps/apps-page.tsx")).AppsPage }) },
  {
    path: "apps/:appId",
    lazy: async () => ({ Component: (await import("./app/app-shell.tsx")).AppShell }),
    children: [{ errorElement: <PageFault />, children: [...appRoutes, { path: "*", element: <NotFound /> }] }],
  },
  {
    path: "operator",
    lazy: async () => ({ Component: (await import("./operator/shell/operator-shell.tsx")).OperatorShell }),
    children: [{ errorElement: <PageFault />, children: [...operatorRoutes, { path: "*", element: <NotFound /> }] }],
  },
  {
    path: "sessions",
    lazy: async () => ({ Component: (await import("./sessions/sessions-page.tsx")).SessionsPage }),
  },
  {
    path: "security",
    lazy: async () => ({ Component: (await import("./security/security-page.tsx")).SecurityPage }),
  },
  { path: "*", element: <NotFound /> },
];

/** The console's pages; each is loaded when it is first opened. */
export const consoleRouter = createBrowserRouter(
  [
    {
      element: <ConsoleShell />,
      errorElement: <RouteFault />,
      // The first page is there in a moment; nothing is better than a skeleton of another one.
      hydrateFallbackElement: <div />,
      children: [{ errorElement: <PageFault />, children: pages }],
    },
  ],
  { basename: "/console" },
);
