import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";

/** The brand's blue, from the lightest to the darkest. White text on 6 and beyond has a contrast of 4.5 or more. */
const ink: MantineColorsTuple = [
  "#eef1fd",
  "#dbe0f8",
  "#b4bef0",
  "#8c9ae9",
  "#6a7be2",
  "#5366dc",
  "#4558cf",
  "#3a4bb8",
  "#3040a0",
  "#25327f",
];

/** Mantine's dark greys with the tint of our own surfaces, each as light as the one that it replaces or darker. */
const dark: MantineColorsTuple = [
  "#c8cad0",
  "#b5b8bf",
  "#7f838b",
  "#666a73",
  "#3f434b",
  "#373b43",
  "#2a2d34",
  "#21242a",
  "#1b1e23",
  "#121418",
];

export const theme = createTheme({
  primaryColor: "ink",
  primaryShade: { light: 7, dark: 6 },
  colors: { ink, dark },
  defaultRadius: "md",
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  headings: { fontWeight: "650" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Anchor: { defaultProps: { underline: "hover" } },
    Tooltip: { defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: true } } },
    Table: { defaultProps: { verticalSpacing: "sm" } },
  },
});

/** The colours whose light variants carry text. */
const TINTS = ["ink", "gray", "red", "green", "teal", "yellow", "orange", "blue", "violet"];

/**
 * Mantine's muted texts stay below the contrast of 4.5 that WCAG 2.2 asks for (success criterion 1.4.3): these are the
 * nearest shades of the same colours that reach it.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#fcfcfd",
    "--mantine-color-dimmed": "var(--mantine-color-gray-7)",
    "--mantine-color-placeholder": "#6b7280",
    "--mantine-color-error": "var(--mantine-color-red-9)",
    "--mantine-color-anchor": "var(--mantine-color-ink-7)",
    "--docent-surface": "#fff",
    "--docent-border": "#e3e5ea",
    "--docent-human": "#3a4bb8",
    "--docent-ai": "#b45309",
    ...Object.fromEntries(
      TINTS.map((name) => [`--mantine-color-${name}-light-color`, `var(--mantine-color-${name}-9)`]),
    ),
    "--mantine-color-yellow-light-color": "#7a4100",
    "--mantine-color-orange-light-color": "#8a3a00",
    "--mantine-color-green-light-color": "#1b5e2a",
    "--mantine-color-teal-light-color": "#06594a",
  },
  dark: {
    "--mantine-color-body": "#16181d",
    "--mantine-color-dimmed": "var(--mantine-color-dark-1)",
    "--mantine-color-placeholder": "#9aa0aa",
    "--mantine-color-error": "var(--mantine-color-red-4)",
    "--mantine-color-anchor": "var(--mantine-color-ink-3)",
    "--mantine-color-ink-light": "#262d52",
    "--mantine-color-ink-light-hover": "#2d3560",
    "--docent-surface": "#1d2026",
    "--docent-border": "#33373f",
    "--docent-human": "#8c9ae9",
    "--docent-ai": "#f0a94b",
    ...Object.fromEntries(
      TINTS.map((name) => [`--mantine-color-${name}-light-color`, `var(--mantine-color-${name}-2)`]),
    ),
  },
});
