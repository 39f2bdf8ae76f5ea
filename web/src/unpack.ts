// Runs the page's script, which stands in the page deflated and as base64: a third smaller, and nothing of it is for reading.
import { inflate } from "./inflate";

/** The script, written before this one by crates/report/build.rs. */
declare const PACKED: string;

/** The bytes of what stands in the page in the same form (`data.ts`). */
const unpacked = (text: string) => inflate(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
(globalThis as { unpacked?: typeof unpacked }).unpacked = unpacked;

const script = document.createElement("script");
script.textContent = new TextDecoder().decode(unpacked(PACKED));
document.body.append(script);
