import { RouterProvider } from "react-router/dom";
import { mount } from "../shared/app/portico-app.tsx";
import { docsRouter } from "./routes.tsx";

// What the HTML has painted stays until the first page can take its place.
await new Promise<void>((ready) => {
  const look = () => {
    if (docsRouter.state.initialized) ready();
  };
  docsRouter.subscribe(look);
  look();
});
mount(<RouterProvider router={docsRouter} />);
