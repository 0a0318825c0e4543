// Files for the person to keep.

/** How long a browser may take to begin with a file. */
const KEPT_FOR_MS = 60_000;

/** Lets the browser save a file. @param {Blob} file @param {string} name what it is called */
export function saveFile(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_FOR_MS);
}
