//! sysbench's own scripts, as modules for scripts that require them without sysbench being installed. The texts are
//! ours, the names in them sysbench's; a file that Lua finds takes precedence.

use std::path::Path;

/// Name and text of each.
pub(super) const MODULES: &[(&str, &str)] = &[
    ("common", include_str!("lua/modules/common.lua")),
    ("oltp_common", include_str!("lua/modules/oltp_common.lua")),
    ("oltp_read_write", include_str!("lua/modules/oltp_read_write.lua")),
    ("oltp_read_only", include_str!("lua/modules/oltp_read_only.lua")),
    ("oltp_write_only", include_str!("lua/modules/oltp_write_only.lua")),
    ("oltp_point_select", include_str!("lua/modules/oltp_point_select.lua")),
    ("oltp_insert", include_str!("lua/modules/oltp_insert.lua")),
    ("oltp_delete", include_str!("lua/modules/oltp_delete.lua")),
    ("oltp_update_index", include_str!("lua/modules/oltp_update_index.lua")),
    ("oltp_update_non_index", include_str!("lua/modules/oltp_update_non_index.lua")),
    ("select_random_points", include_str!("lua/modules/select_random_points.lua")),
    ("select_random_ranges", include_str!("lua/modules/select_random_ranges.lua")),
    ("bulk_insert", include_str!("lua/modules/bulk_insert.lua")),
];

/// The module for a name, or for a path where sysbench would be installed and is not.
pub fn module(name: &str) -> Option<&'static str> {
    let path = Path::new(name);
    let stem = match path.extension() {
        None if !name.contains('/') => name,
        Some(lua) if lua == "lua" && !path.exists() && installed(path) => path.file_stem()?.to_str()?,
        _ => return None,
    };
    MODULES.iter().map(|(own, _)| *own).find(|own| *own == stem)
}

/// Whether the path's directory belongs to a package or a checkout of sysbench: `…/sysbench`, `…/sysbench/lua`,
/// `…/src/lua`.
fn installed(path: &Path) -> bool {
    let mut above = path.components().rev().skip(1).map(|c| c.as_os_str().to_string_lossy().into_owned());
    let folders = (above.next(), above.next());
    matches!(
        (folders.0.as_deref(), folders.1.as_deref()),
        (Some("sysbench"), _) | (Some("lua"), Some("sysbench" | "src"))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_meant_by_its_name_or_by_where_it_would_be_installed() {
        for (name, meant) in [
            ("oltp_common", Some("oltp_common")),
            ("/no/such/share/sysbench/oltp_read_only.lua", Some("oltp_read_only")),
            ("/no/such/sysbench/src/lua/bulk_insert.lua", Some("bulk_insert")),
            ("/no/such/share/sysbench/other.lua", None),
            ("/home/me/oltp_read_only.lua", None),
            ("oltp_read_only.lua", None),
            ("other", None),
        ] {
            assert_eq!(module(name), meant, "{name}");
        }
    }
}
