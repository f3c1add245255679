/** The library of the program, loaded first. Node's own error names a library that a program of the other one does not have. */
function loaded(): typeof import("cdktf") {
  try {
    return require("cdktf");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const [missing] = /^Cannot find module 'cdkt[fn]'/.exec(message) ?? [];
    if (missing === undefined) throw error;
    const imports = ["cdktf", "cdktn"]
      .map((name) => `a program of ${name} imports from "tenantform/${name}"`)
      .join(", ");
    throw Object.assign(new Error(`${missing}: install it, or correct the import: ${imports}.`, { cause: error }), {
      code,
    });
  }
}

export const { Token } = loaded();
