import type { RouteObject } from "react-router";

async function overview() {
  return { Component: (await import("../overview/overview-page.tsx")).OverviewPage };
}

/** With the editor, which no other page needs. */
async function cardStudio() {
  return { Component: (await import("../card-templates/studio/studio-page.tsx")).StudioPage };
}

/** The pages of an application, below its address; sections.ts has them for the navigation. Each takes what it needs from `useApp`. */
export const appRoutes: RouteObject[] = [
  { index: true, lazy: overview },
  { path: "overview", lazy: overview },
  {
    path: "credentials",
    lazy: async () => ({ Component: (await import("../credentials/credentials-page.tsx")).CredentialsPage }),
  },
  {
    path: "scopes",
    lazy: async () => ({ Component: (await import("../scopes/scopes-page.tsx")).ScopesPage }),
  },
  {
    path: "requests",
    lazy: async () => ({ Component: (await import("../requests/requests-page.tsx")).RequestsPage }),
  },
  {
    path: "events",
    lazy: async () => ({ Component: (await import("../events/events-page.tsx")).EventsPage }),
  },
  {
    path: "api-explorer",
    lazy: async () => ({ Component: (await import("../explorer/explorer-page.tsx")).ExplorerPage }),
  },
  {
    path: "statistics",
    lazy: async () => ({ Component: (await import("../statistics/statistics-page.tsx")).StatisticsPage }),
  },
  {
    path: "deliveries",
    lazy: async () => ({ Component: (await import("../deliveries/deliveries-page.tsx")).DeliveriesPage }),
  },
  {
    path: "installations",
    lazy: async () => ({ Component: (await import("../installations/installations-page.tsx")).InstallationsPage }),
  },
  {
    path: "agents",
    lazy: async () => ({ Component: (await import("../agents/agents-page.tsx")).AgentsPage }),
  },
  {
    path: "visitors",
    lazy: async () => ({ Component: (await import("../visitors/visitors-page.tsx")).VisitorsPage }),
  },
  {
    path: "service",
    lazy: async () => ({ Component: (await import("../service/service-page.tsx")).ServicePage }),
  },
  {
    path: "canned-replies",
    lazy: async () => ({ Component: (await import("../canned-replies/canned-replies-page.tsx")).CannedRepliesPage }),
  },
  {
    path: "widget",
    lazy: async () => ({ Component: (await import("../widget/widget-page.tsx")).WidgetPage }),
  },
  {
    path: "audit-log",
    lazy: async () => ({ Component: (await import("../audit-log/audit-log-page.tsx")).AuditLogPage }),
  },
  {
    path: "card-templates",
    lazy: async () => ({ Component: (await import("../card-templates/templates-page.tsx")).TemplatesPage }),
  },
  { path: "card-templates/:cardId", lazy: cardStudio },
];
