//! Prompts on the terminal.

/// Prompts for a password like MySQL's programs; the error is a line for standard error.
pub fn password() -> Result<String, String> {
    rpassword::prompt_password("Enter password: ").map_err(|e| {
        format!(
            "a password without a value is asked for on the terminal, and there is none ({e}): set MYSQL_PWD, or write it into a file for --defaults-extra-file"
        )
    })
}
