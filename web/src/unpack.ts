// Runs the page's script, which stands in the page deflated and as base64: a third smaller, and nothing of it is for reading. At once, not by
// the browser's own DecompressionStream: that one ends after the page has been loaded, and a browser without a window has printed it by then.
import { inflateSync, strFromU8 } from "fflate";

/** The script, written before this one by crates/report/build.rs. */
declare const PACKED: string;

/** The bytes of what stands in the page in the same form (`data.ts`). */
const unpacked = (text: string) => inflateSync(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
(globalThis as { unpacked?: typeof unpacked }).unpacked = unpacked;

const script = document.createElement("script");
script.textContent = strFromU8(unpacked(PACKED));
document.body.append(script);
