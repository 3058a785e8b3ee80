import type { Root } from "mdast";
import { jsxElements } from "./jsx.ts";
import { isScriptNode, type ScriptNode } from "./script-node.ts";
import type { PageImport } from "./page-facts.ts";
import { walk } from "./walk.ts";

export interface ScriptFacts {
  imports: PageImport[];
  /** The page builds elements in expressions or exports: they may bring ids of their own. */
  buildsElements: boolean;
  usesGlobalComponents: boolean;
}

function localNames(declaration: ScriptNode): string[] {
  const specifiers: unknown = declaration["specifiers"];
  if (!Array.isArray(specifiers)) return [];
  return specifiers.flatMap((specifier: unknown) => {
    const local = isScriptNode(specifier) ? specifier["local"] : undefined;
    return isScriptNode(local) && typeof local["name"] === "string" ? [local["name"]] : [];
  });
}

/** What the page's imports, exports and expressions may add to what its Markdown shows. */
export function scriptFacts(root: Root): ScriptFacts {
  const declared = new Map<string, string[]>();
  const code: string[] = [];
  let exports = "";
  walk(root, (node) => {
    if (node.type === "mdxFlowExpression" || node.type === "mdxTextExpression") code.push(node.value);
    if (node.type !== "mdxjsEsm") return;
    for (const statement of node.data?.estree?.body ?? []) {
      if (!isScriptNode(statement)) continue;
      const source = statement["source"];
      if (statement.type === "ImportDeclaration" && isScriptNode(source) && typeof source["value"] === "string") {
        declared.set(source["value"], [...(declared.get(source["value"]) ?? []), ...localNames(statement)]);
      } else {
        exports += `${node.value}\n`;
      }
    }
  });
  const elements = jsxElements(root);
  const elementNames = new Set(elements.map((element) => (element.name ?? "").split(".")[0] ?? ""));
  for (const element of elements) {
    for (const attribute of element.attributes) {
      if (attribute.type === "mdxJsxExpressionAttribute") code.push(attribute.value);
      else if (typeof attribute.value === "object" && attribute.value !== null) code.push(attribute.value.value);
    }
  }
  const allCode = `${code.join("\n")}\n${exports}`;
  const mentioned = (name: string): boolean => elementNames.has(name) || new RegExp(`\\b${name}\\b`).test(allCode);
  const known = new Set([...declared.values()].flat());
  return {
    imports: [...declared].map(([source, names]) => ({ source, used: names.some(mentioned) })),
    buildsElements: allCode.includes("<"),
    usesGlobalComponents: [...elementNames].some(
      (name) => /^[A-Z]/.test(name) && !known.has(name) && !new RegExp(`\\b${name}\\b`).test(exports),
    ),
  };
}
