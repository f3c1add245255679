/** Runs the script of a review page with the few parts of a document that it uses. */
import vm from "node:vm";

interface Submitted {
  /** The results before and after. */
  readonly results: readonly string[];
  /** The texts next to the invalid fields, by the names of the fields. */
  readonly problems: Readonly<Record<string, string>>;
  /** The index of the marked ACL in each column. -1: none. */
  readonly hits: readonly number[];
  /** The field that has the focus. */
  readonly focused: string | undefined;
}

class FakeElement {
  textContent = "";
  value = "";
  open = false;
  readonly attributes = new Map<string, string>();
  readonly listeners = new Map<string, (event: { preventDefault(): void }) => void>();
  readonly marked = new Set<string>();
  readonly children: FakeElement[] = [];
  onFocus = () => {};
  constructor(
    readonly id = "",
    readonly name = "",
  ) {}
  setAttribute = (name: string, value: string) => this.attributes.set(name, value);
  removeAttribute = (name: string) => this.attributes.delete(name);
  addEventListener = (type: string, listener: (event: { preventDefault(): void }) => void) =>
    this.listeners.set(type, listener);
  focus = () => this.onFocus();
  classList = { toggle: (name: string, on: boolean) => (on ? this.marked.add(name) : this.marked.delete(name)) };
}

/** The first form of the page. The document has the elements that the page contains, and no others. */
export function openForm(html: string): { submit(facts: Readonly<Record<string, string>>): Submitted } {
  const [form = ""] = /<form[\s\S]*?<\/form>/.exec(html) ?? [];
  const inputs = [...form.matchAll(/<input id="([^"]*)" name="([^"]*)"([^>]*)>/g)].map(([, id, name, rest]) => {
    const input = Object.assign(new FakeElement(id, name), { value: / value="([^"]*)"/.exec(rest!)?.[1] ?? "" });
    if (!rest!.includes(`aria-describedby="${id}-problem"`)) throw new Error(`${name} names no text for its problem`);
    return input;
  });
  const texts = [...form.matchAll(/<span class="problem" id="([^"]*)"><\/span>/g)].map(([, id]) => new FakeElement(id));
  const [, live = ""] = /<div class="result" role="status">(.*?)<\/div>/s.exec(form) ?? [];
  const sides = new Map([...live.matchAll(/data-side="(\w+)"/g)].map(([, side]) => [side!, new FakeElement()]));
  const defaults = new Map(inputs.map(({ name, value }) => [name, value]));
  const [, data = ""] = /<script type="application\/json" id="acls">(.*?)<\/script>/s.exec(html) ?? [];
  const columns = ["before", "after"].map((side) => {
    const acls = (JSON.parse(data) as { sides: Record<string, unknown[]>[] }).sides[0]![side]!;
    return { children: acls.map(() => new FakeElement()) };
  });
  const element = Object.assign(new FakeElement(), {
    dataset: { index: "0" },
    closest: () => ({ querySelectorAll: () => columns }),
    querySelector: (selector: string) => sides.get(/data-side="(\w+)"/.exec(selector)![1]!),
    querySelectorAll: () => inputs,
  });
  let focused: string | undefined;
  for (const input of inputs) input.onFocus = () => (focused = input.name);
  const byId = new Map(
    [...texts, Object.assign(new FakeElement("acls"), { textContent: data })].map((one) => [one.id, one]),
  );
  vm.runInNewContext(/<script>(.*?)<\/script>/s.exec(html)![1]!, {
    document: { getElementById: (id: string) => byId.get(id), querySelectorAll: () => [element] },
    FormData: function () {
      return inputs.map(({ name, value }) => [name, value]);
    },
    addEventListener: () => {},
  });
  return {
    submit(facts) {
      focused = undefined;
      for (const input of inputs) input.value = facts[input.name] ?? defaults.get(input.name)!;
      element.listeners.get("submit")!({ preventDefault() {} });
      const invalid = inputs.filter(({ attributes }) => attributes.get("aria-invalid") === "true");
      return {
        results: [...sides.values()].map(({ textContent }) => textContent),
        problems: Object.fromEntries(invalid.map(({ id, name }) => [name, byId.get(`${id}-problem`)!.textContent])),
        hits: columns.map(({ children }) => children.findIndex(({ marked }) => marked.has("hit"))),
        focused,
      };
    },
  };
}
