"use strict";
// Applies the theme chosen last, before anything is painted.
try {
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is not available: the system's theme applies.
}
