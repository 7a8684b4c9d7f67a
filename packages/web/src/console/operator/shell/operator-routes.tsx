import { Navigate, type RouteObject } from "react-router";

/** The operators' pages, below their address; operator-sections.ts has them for the navigation. */
export const operatorRoutes: RouteObject[] = [
  { index: true, element: <Navigate to="/operator/reviews" replace /> },
  {
    path: "reviews",
    lazy: async () => ({ Component: (await import("../reviews/reviews-page.tsx")).ReviewsPage }),
  },
  {
    path: "applications",
    lazy: async () => ({ Component: (await import("../apps/all-apps-page.tsx")).AllAppsPage }),
  },
  {
    path: "tenants",
    lazy: async () => ({ Component: (await import("../tenants/tenants-page.tsx")).TenantsPage }),
  },
  {
    path: "members",
    lazy: async () => ({ Component: (await import("../members/members-page.tsx")).MembersPage }),
  },
  {
    path: "groups",
    lazy: async () => ({ Component: (await import("../groups/groups-page.tsx")).GroupsPage }),
  },
  {
    path: "developers",
    lazy: async () => ({ Component: (await import("../developers/developers-page.tsx")).DevelopersPage }),
  },
  {
    path: "audit-log",
    lazy: async () => ({ Component: (await import("../audit-log/operator-audit-page.tsx")).OperatorAuditPage }),
  },
  {
    path: "health",
    lazy: async () => ({ Component: (await import("../health/health-page.tsx")).HealthPage }),
  },
];
