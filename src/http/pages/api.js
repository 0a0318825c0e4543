// Shows the OpenAPI document as a page.

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

const nameOf = (ref) => ref.split("/").pop();

// A schema in a few words, with links to the types that it names.
const inWords = (schema) => {
  if (!schema) return [""];
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    return [element("a", { href: `#${name}` }, name)];
  }
  const several = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (several) {
    const sign = schema.allOf ? " and " : " or ";
    return several.flatMap((one, index) => (index ? [sign, ...inWords(one)] : inWords(one)));
  }
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return [schema.enum.map((value) => JSON.stringify(value)).join(" or ")];
  const types = [schema.type].flat().filter(Boolean);
  if (types.includes("array")) return ["list of ", ...inWords(schema.items)];
  if (schema.properties) return [`{ ${Object.keys(schema.properties).join(", ")} }`];
  const limits = [
    schema.minimum !== undefined && `from ${schema.minimum}`,
    schema.maximum !== undefined && `to ${schema.maximum}`,
    schema.minLength !== undefined && `at least ${schema.minLength} characters`,
    schema.maxLength !== undefined && `at most ${schema.maxLength} characters`,
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ].filter(Boolean);
  return [types.join(" or ") || "anything", limits.length ? ` (${limits.join(", ")})` : ""];
};

const row = (...cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, ...[cell].flat())));

const fields = (schema) => {
  const required = new Set(schema.required ?? []);
  return element("table", {}, ...Object.entries(schema.properties ?? {}).map(([name, field]) =>
    row(element("code", {}, name), inWords(field), [required.has(name) ? "" : "optional. ", field.description ?? ""])));
};

const shape = (schema) => {
  if (schema.oneOf || schema.allOf) {
    const parts = schema.oneOf ?? schema.allOf;
    return element("div", {}, ...parts.map((part) =>
      part.properties ? element("div", {}, element("p", { className: "note" }, part.description ?? ""), fields(part))
        : element("p", {}, ...inWords(part), part.description ? ` – ${part.description}` : "")));
  }
  return schema.properties ? fields(schema) : element("p", {}, ...inWords(schema));
};

/** What an operation needs of the client that asks: each way in `security` is enough. */
const needs = (security) => {
  const scopes = security.flatMap((way) => way.api_token ?? []).join(" or ");
  if (security.some((way) => Object.keys(way).length === 0)) {
    return `A token is optional; an API token makes a difference with the scope ${scopes}.`;
  }
  if (!security.some((way) => way.api_token)) return "Needs the token of a session.";
  return scopes ? `Needs the token of a session, or an API token with the scope ${scopes}.` : "Needs a token.";
};

const operation = (path, method, described) => {
  const parts = [element("p", {}, described.description ?? "")];
  if (described.security?.length) {
    parts.push(element("p", { className: "note" }, needs(described.security)));
  }
  if (described.parameters) {
    parts.push(element("table", {}, ...described.parameters.map((parameter) =>
      row([element("code", {}, parameter.name), ` (${parameter.in})`], inWords(parameter.schema), parameter.description ?? ""))));
  }
  const body = described.requestBody?.content?.["application/json"]?.schema;
  if (body) parts.push(element("p", {}, "Body: ", ...inWords(body)));
  parts.push(element("table", {}, ...Object.entries(described.responses).map(([status, response]) => {
    if (response.$ref) return row(status, "problem");
    const kinds = Object.entries(response.content ?? {}).map(([kind, { schema }]) => element("div", {}, ...inWords(schema), ` (${kind})`));
    return row(status, [element("div", {}, response.description), ...kinds]);
  })));
  return element("details", {},
    element("summary", {}, element("span", { className: "method" }, method.toUpperCase()), element("code", {}, path), ` ${described.summary ?? ""}`),
    ...parts);
};

const show = (document_) => {
  const operations = document.getElementById("operations");
  for (const tag of document_.tags ?? []) {
    operations.append(element("h2", {}, tag.name), element("p", {}, tag.description ?? ""));
    for (const [path, methods] of Object.entries(document_.paths)) {
      for (const [method, described] of Object.entries(methods)) {
        if (described.tags?.includes(tag.name)) operations.append(operation(path, method, described));
      }
    }
  }
  const types = document.getElementById("types");
  for (const [name, schema] of Object.entries(document_.components.schemas).sort()) {
    types.append(element("details", { id: name }, element("summary", {}, element("code", {}, name)),
      element("p", {}, schema.description ?? ""), shape(schema)));
  }
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target instanceof HTMLDetailsElement) {
      target.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", open);
  open();
};

const response = await fetch("/api/openapi.json");
if (response.ok) show(await response.json());
else document.getElementById("about").append(` It could not be loaded (${response.status}).`);
