// Inflates what this project has deflated (RFC 1951); of other streams it would notice no mistake. At once and in a screen of code: the browser's
// own DecompressionStream ends after the page has been loaded, and a browser without a window has printed it by then.

/** A Huffman code: how many codes have each length, and the symbols in the order of their codes. */
interface Code {
  counts: number[];
  symbols: number[];
}

/** In which order the lengths of the code for lengths are written. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

export function inflate(from: Uint8Array): Uint8Array {
  let to = new Uint8Array(from.length * 6 + 64);
  let [at, held, count, end] = [0, 0, 0, 0];
  const bits = (n: number) => {
    for (; count < n; count += 8) held |= (from[at++] ?? 0) << count;
    const value = held & ((1 << n) - 1);
    held >>>= n;
    count -= n;
    return value;
  };
  const symbol = ({ counts, symbols }: Code) => {
    for (let [code, first, index, length] = [0, 0, 0, 1]; length < 16; length++) {
      code |= bits(1);
      const n = counts[length] ?? 0;
      if (code - n < first) return symbols[index + code - first] ?? 0;
      index += n;
      first = (first + n) << 1;
      code <<= 1;
    }
    return 0;
  };
  const put = (byte: number) => {
    if (end === to.length) {
      const more = new Uint8Array(2 * end);
      more.set(to);
      to = more;
    }
    to[end++] = byte;
  };
  for (let last = 0; !last; ) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) {
      [held, count] = [0, 0];
      const length = (from[at] ?? 0) | ((from[at + 1] ?? 0) << 8);
      at += 4;
      for (let n = 0; n < length; n++) put(from[at++] ?? 0);
      continue;
    }
    const [literals, distances] = kind === 1 ? fixed() : own(bits, symbol);
    for (let next = symbol(literals); next !== 256; next = symbol(literals)) {
      if (next < 256) {
        put(next);
        continue;
      }
      // 257 to 284: steps that become longer by one bit after four of them; 285: the greatest length.
      const n = next - 257;
      const more = n < 8 || n === 28 ? 0 : (n >> 2) - 1;
      const length = n === 28 ? 258 : n < 8 ? 3 + n : 3 + ((4 + (n & 3)) << more) + bits(more);
      const d = symbol(distances);
      const far = d < 4 ? 0 : (d >> 1) - 1;
      const back = 1 + (d < 4 ? d : ((2 + (d & 1)) << far) + bits(far));
      for (let i = 0; i < length; i++) put(to[end - back] ?? 0);
    }
  }
  return to.subarray(0, end);
}

function code(lengths: number[]): Code {
  const counts = new Array<number>(16).fill(0);
  for (const length of lengths) if (length) counts[length] = (counts[length] ?? 0) + 1;
  const symbols: number[] = [];
  for (let length = 1; length < 16; length++) lengths.forEach((own, n) => own === length && symbols.push(n));
  return { counts, symbols };
}

/** The codes of a block that has none of its own. */
function fixed(): [Code, Code] {
  const lengths = Array.from({ length: 288 }, (_, n) => (n < 144 ? 8 : n < 256 ? 9 : n < 280 ? 7 : 8));
  return [code(lengths), code(new Array<number>(30).fill(5))];
}

function own(bits: (n: number) => number, symbol: (of: Code) => number): [Code, Code] {
  const [literals, distances, n] = [bits(5) + 257, bits(5) + 1, bits(4) + 4];
  const written = new Array<number>(19).fill(0);
  for (const place of ORDER.slice(0, n)) written[place] = bits(3);
  const ofLengths = code(written);
  const lengths: number[] = [];
  while (lengths.length < literals + distances) {
    const next = symbol(ofLengths);
    if (next < 16) lengths.push(next);
    else {
      const [value, times] = next === 16 ? [lengths[lengths.length - 1] ?? 0, 3 + bits(2)] : [0, next === 17 ? 3 + bits(3) : 11 + bits(7)];
      for (let i = 0; i < times; i++) lengths.push(value);
    }
  }
  return [code(lengths.slice(0, literals)), code(lengths.slice(literals))];
}
