//! sysbench's own scripts as its releases have them, known by their digests: a file of such a name with another text has been
//! changed by the user, who means that text and not our native test.

use super::machine::{required_in, search_path};
use super::own::MODULES;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The first 64 bits of the SHA-256 of the files of `src/lua`, in ascending order: of the releases 1.0.0 to 1.0.20, of Debian's package, and of
/// the branch of 1.1.
#[rustfmt::skip]
const RELEASED: &[u64] = &[
    0x00a9_b7de_ded8_df64, 0x0288_32d7_ce71_e1bd, 0x02f2_cbba_cbab_e666, 0x086c_a8fb_4451_a55c, 0x0962_0dd1_aa31_6844, 0x11dc_2086_2684_6153,
    0x1a44_4b6e_4411_2a5a, 0x24ec_d8d2_dede_affa, 0x25ee_b32f_5877_c254, 0x2f7f_740e_f728_1b0c, 0x30af_3658_29dc_c11e, 0x354d_9184_ec54_9699,
    0x39de_6451_3c84_0eb1, 0x3b44_32c8_897b_74b7, 0x46d2_50ef_3be8_41b1, 0x49ed_e594_4e74_c083, 0x4a91_6fe9_8e23_e00c, 0x4aa6_fff6_e2f3_a0bb,
    0x5002_f6d7_02e1_099f, 0x5c6c_923c_c000_bb6d, 0x658d_015c_9112_3221, 0x6c7e_4787_1e9d_56e1, 0x710c_3b38_0276_68c8, 0x7196_d505_f262_54f6,
    0x7d01_873f_aa09_2c8b, 0x81ed_afea_74db_0e10, 0x82f8_0be2_29e5_d565, 0x85d5_97a6_95b8_df05, 0x8711_cd26_a0db_c721, 0x8adb_32e1_833e_7124,
    0x8b2c_88f5_8139_2dc9, 0x90ef_17c6_3b8f_959f, 0x95a4_bc16_d6ba_5917, 0x9c01_6141_d175_8807, 0xaba6_f88f_3fe1_8a24, 0xacc0_d083_2b50_b988,
    0xadf9_11b2_8a4f_72a8, 0xb183_f7a1_12ce_78e7, 0xb79f_4011_77f4_4f02, 0xbe23_512e_8ae1_4433, 0xbe26_9a98_a901_e130, 0xc6a7_fb30_e997_fdcd,
    0xc84d_0351_91a8_c895, 0xd3d6_8413_ecce_3482, 0xd702_2dad_0cd1_3497, 0xd7da_b10a_f3b3_a088, 0xe67f_8dba_14e7_3f35, 0xfaad_84b0_8e4b_aaf3,
    0xfcb4_62e2_6409_7d93, 0xfcea_cbc1_f33f_ed84, 0xfdc1_76e1_116a_d933, 0xffd9_a921_aac1_5b2e,
];

/// The part that all of sysbench's tests of tables load, but for bulk_insert.
const SHARED: &str = "oltp_common";

/// What Lua would run in place of sysbench's own test of this name, if the user has replaced it or the script that it loads: a file, or the name
/// if only the latter is another one.
pub fn replaced(name: &str) -> Option<PathBuf> {
    replaced_in(&search_path(), name)
}

fn replaced_in(templates: &str, name: &str) -> Option<PathBuf> {
    if name == SHARED || !MODULES.iter().any(|(own, _)| *own == name) {
        return None;
    }
    let script = required_in(templates, name);
    let shared = required_in(templates, SHARED).filter(|_| name != "bulk_insert");
    let is_changed = |path: &Option<PathBuf>| path.as_deref().is_some_and(|path| !is_released(path));
    let is_replaced = is_changed(&script) || is_changed(&shared);
    is_replaced.then(|| script.unwrap_or_else(|| PathBuf::from(name)))
}

/// Whether the file is as a release has it; one that cannot be read is none of the user's.
fn is_released(path: &Path) -> bool {
    let Ok(text) = tenbin_intake::file(path, tenbin_intake::SMALL) else { return true };
    let digest = Sha256::digest(&text);
    let first = digest.iter().take(8).fold(0, |all, byte| all << 8 | u64::from(*byte));
    RELEASED.binary_search(&first).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digests_are_in_order() {
        assert!(RELEASED.is_sorted());
    }

    /// In the three places where users put them: the current directory, another directory of Lua's path, and a directory of the script's name.
    #[test]
    fn a_script_that_was_changed_takes_the_place_of_the_native_test() {
        let dir = tempfile::tempdir().unwrap();
        let at = |file: &str| dir.path().join(file);
        let templates = format!("{0}/?.lua;{0}/?/init.lua", dir.path().display());
        let replacement = |name: &str| replaced_in(&templates, name);
        assert_eq!(replacement("oltp_point_select"), None, "there is none");
        std::fs::write(at("oltp_common.lua"), "-- mine\n").unwrap();
        assert_eq!(replacement("oltp_point_select"), Some(PathBuf::from("oltp_point_select")));
        assert_eq!((replacement("bulk_insert"), replacement("oltp_common"), replacement("other")), (None, None, None));
        std::fs::create_dir(at("bulk_insert")).unwrap();
        std::fs::write(at("bulk_insert/init.lua"), "-- mine\n").unwrap();
        assert_eq!(replacement("bulk_insert"), Some(at("bulk_insert/init.lua")));
        std::fs::write(at("oltp_insert.lua"), "-- mine\n").unwrap();
        assert_eq!(replacement("oltp_insert"), Some(at("oltp_insert.lua")));
    }
}
