import type { RouteObject } from "react-router";

async function overview() {
  return { Component: (await import("../overview/overview-page.tsx")).OverviewPage };
}

/** The pages of an application, below its address; sections.ts has them for the navigation. Each takes what it needs from `useApp`. */
export const appRoutes: RouteObject[] = [
  { index: true, lazy: overview },
  { path: "overview", lazy: overview },
  {
    path: "requests",
    lazy: async () => ({ Component: (await import("../requests/requests-page.tsx")).RequestsPage }),
  },
  {
    path: "events",
    lazy: async () => ({ Component: (await import("../events/events-page.tsx")).EventsPage }),
  },
  {
    path: "statistics",
    lazy: async () => ({ Component: (await import("../statistics/statistics-page.tsx")).StatisticsPage }),
  },
  {
    path: "deliveries",
    lazy: async () => ({ Component: (await import("../deliveries/deliveries-page.tsx")).DeliveriesPage }),
  },
];
