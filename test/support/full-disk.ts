/** A disk that has no room for a text. */
import fs from "node:fs";

/** Writes half of each text that contains the word, and throws, until the end of the test. */
export function fullDisk(word: string): void {
  const write = fs.writeFileSync;
  const spy = jest.spyOn(fs, "writeFileSync").mockImplementation((to, text, options) => {
    if (!String(text).includes(word)) return write(to, text, options);
    write(to, String(text).slice(0, String(text).length / 2), options);
    throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  });
  restore = () => spy.mockRestore();
}

let restore = () => {};
afterEach(() => restore());
