//! Packed histograms: any head with any counts behind it is unpacked in bounded memory or refused, and what was
//! unpacked packs again.
#![no_main]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use libfuzzer_sys::fuzz_target;
use std::io::Write;
use tenbin_model::histogram::Histogram;

fuzz_target!(|input: (u8, u32, u32, u64, u64, &[u8])| {
    let (form, payload, digits, lowest, highest, counts) = input;
    let text = match form {
        0 => String::from_utf8_lossy(counts).into_owned(),
        1 => STANDARD.encode(counts),
        // Mostly a head like ours, so that the counts behind it are looked at.
        form => {
            let ours = form > 8;
            let (digits, lowest) = if ours { (3, 64) } else { (digits, lowest) };
            let highest = if ours { highest % (1 << 50) } else { highest };
            let payload = if form > 16 { counts.len() as u32 } else { payload };
            let mut plain = 0x1c84_9313_u32.to_be_bytes().to_vec();
            [payload, 0, digits].iter().for_each(|n| plain.extend(n.to_be_bytes()));
            [lowest, highest, 1.0f64.to_bits()].iter().for_each(|n| plain.extend(n.to_be_bytes()));
            plain.extend(counts);
            let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
            zlib.write_all(&plain).expect("into memory");
            let zlib = zlib.finish().expect("into memory");
            let mut all = 0x1c84_9314_u32.to_be_bytes().to_vec();
            all.extend((zlib.len() as u32).to_be_bytes());
            all.extend(zlib);
            STANDARD.encode(all)
        }
    };
    let Ok(mut h) = Histogram::from_text(&text) else { return };
    assert!(h.memory() < 1 << 20);
    let _ = (h.mean_ns(), h.min_ns(), h.max_ns(), h.quantile_ns(0.99), h.buckets().count());
    assert_eq!(Histogram::from_text(&h.to_text()).expect("it was just written"), h);
    let other = h.clone();
    h.merge(&other);
    h.record(u64::MAX);
});
