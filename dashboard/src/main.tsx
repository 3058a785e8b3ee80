import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./theme.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { createQueryClient } from "./query-client.ts";
import { cssVariables, theme } from "./theme.ts";

const root = document.querySelector("#root");
if (root === null) throw new Error("The page has no #root.");

/** The content security policy lets those style elements in that carry it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
// Where the library that keeps the page from scrolling below a dialog (react-style-singleton) looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce });

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={createQueryClient()}>
        <Notifications position="bottom-right" />
        <App />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
