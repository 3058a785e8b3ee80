// Draws the page in the colours that were chosen from its first moment on. The key and the attribute are Mantine's.
try {
  const chosen = localStorage.getItem("mantine-color-scheme-value");
  const isDark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? "dark" : "light";
} catch {
  // Without storage the page follows the system.
}
