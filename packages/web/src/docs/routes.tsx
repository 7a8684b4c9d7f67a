import { createBrowserRouter, type RouteObject } from "react-router";
import { NotFound } from "../shared/app/not-found.tsx";
import { PageFault } from "../shared/app/route-fault.tsx";
import { DOCUMENT_ROUTE, readApiDocument } from "./reference/api-document.ts";
import { DocsFault } from "./shell/docs-fault.tsx";

const pages: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import("./shell/docs-home.tsx")).DocsHome }) },
  {
    path: "components",
    lazy: async () => ({ Component: (await import("./components/components-page.tsx")).ComponentsPage }),
  },
  { path: "preview", lazy: async () => ({ Component: (await import("./preview/preview-page.tsx")).PreviewPage }) },
  { path: "guide/*", lazy: async () => ({ Component: (await import("./guide/guide-page.tsx")).GuidePage }) },
  {
    path: "reference/:operationId",
    lazy: async () => ({ Component: (await import("./reference/operation-page.tsx")).OperationPage }),
  },
  { path: "*", element: <NotFound /> },
];

/** The pages of the docs; each is loaded when it is first opened. */
export const docsRouter = createBrowserRouter(
  [
    {
      id: DOCUMENT_ROUTE,
      lazy: async () => ({ Component: (await import("./shell/docs-shell.tsx")).DocsShell }),
      loader: readApiDocument,
      // It stays as it is while the page is open.
      shouldRevalidate: () => false,
      errorElement: <DocsFault />,
      hydrateFallbackElement: <div />,
      children: [{ errorElement: <PageFault />, children: pages }],
    },
  ],
  { basename: "/docs" },
);
