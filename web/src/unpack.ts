// Runs the page's script, which stands in the page deflated and as base64: a third smaller, and nothing of it is for reading. At once, not by
// the browser's own DecompressionStream: that one ends after the page has been loaded, and a browser without a window has printed it by then.
import { inflateSync, strFromU8 } from "fflate";

/** The script, written before this one by crates/report/build.rs. */
declare const PACKED: string;

const script = document.createElement("script");
script.textContent = strFromU8(inflateSync(Uint8Array.from(atob(PACKED), (c) => c.charCodeAt(0))));
document.body.append(script);
