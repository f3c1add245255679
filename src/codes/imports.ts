/** Imports, moves and other states. */
import type { Rows } from "./row";

export const imports = {
  "TNF-IMPORT-ID": {
    title: "Not the id of …",
    text: ["The import id has the wrong form. The message shows the accepted forms. The provider sent no API call."],
  },
  "TNF-NOTHING-TO-IMPORT": {
    title: "Nothing to import",
    text: [
      "The tenant has no object with the import id. Check the id, and check that `domain` or `endpoint` names " +
        "the right tenant.",
    ],
  },
  "TNF-NO-SUCH": {
    title: "No such …",
    text: ["The tenant has no object with this value. Check the value in the message."],
  },
  "TNF-SEVERAL-SUCH": {
    title: "Several such …",
    text: [
      "Several objects have this value, such as policies with one selector for different APIs or consumers. Import one of the " +
        "objects in the message by its id.",
    ],
  },
  "TNF-NOT-AN-IDENTITY": {
    title: "The identity in the import block is invalid",
    text: [
      "The `identity` of an `import` block takes only the id of the object. To import by name, priority or " +
        'selector, write `id` instead of `identity`: `id = "consumer_selector:default"`.',
    ],
  },
  "TNF-IDENTITY-INCOMPLETE": {
    title: "The identity in the import block is incomplete",
    text: ["The `identity` of an `import` block lacks an attribute. Add the attribute that the message names."],
  },
  "TNF-CANNOT-MOVE": {
    title: "Cannot move … to …",
    text: [
      "The provider cannot move the state of this type. Import the object instead, and forget the old resource " +
        "with a `removed` block.",
    ],
  },
  "TNF-NEWER-STATE": {
    title: "The state is of a newer version of the provider",
    text: ["Somebody applied with a newer version of the provider. Use that version or a newer one."],
  },
  "TNF-UNKNOWN-TYPE": {
    title: "Unknown type …",
    text: ["The provider has no such resource or data source. The message lists all types."],
  },
} as const satisfies Rows;
