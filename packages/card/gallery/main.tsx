import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Gallery } from "./gallery.tsx";
import type { NamedCard } from "./named-card.ts";
import "./gallery.css";

const query = new URLSearchParams(location.search);
const theme = query.get("theme");
if (theme !== null) document.documentElement.dataset.theme = theme;

const response = await fetch("./cards.json");
const cards: NamedCard[] = await response.json();
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    <Gallery
      cards={cards.filter(({ name }) => name.includes(query.get("only") ?? ""))}
      locale={query.get("locale") ?? "zh-CN"}
      fails={query.has("fail")}
    />
  </StrictMode>,
);
