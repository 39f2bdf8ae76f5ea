//! `tenbin man`: writes the manual pages, generated from the same definitions as the help texts.

use crate::args::{Arguments, Man};
use clap::CommandFactory;
use std::io::Write;
use tenbin_terminal::exit::{self, Exit};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub fn man(a: &Man) -> Result<Exit, Problem> {
    let command = Arguments::command();
    match &a.dir {
        Some(dir) => {
            let written = std::fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(command, dir));
            written.map_err(|e| {
                Problem::new(msg!("manual-pages-cannot-be-written", dir = dir.display()))
                    .evidence(foreign(e))
                    .hint(msg!("name-writable-folder"))
            })?;
            exit::print(&format!("written  {}", dir.join("tenbin.1").display()));
        }
        None => {
            let mut text = Vec::new();
            let page = clap_mangen::Man::new(command);
            page.render(&mut text).and_then(|()| text.flush()).map_err(|e| Problem::new(foreign(e)))?;
            exit::print(String::from_utf8_lossy(&text).trim_end());
        }
    }
    Ok(Exit::Ok)
}
