//! Vulkan drivers for tests outside the browser.
//!
//! The machine's GPU when it has one; else a driver that computes on the CPU, so that a test never
//! skips for want of a GPU.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the Vulkan loader looks for descriptions of drivers.
const DRIVER_DIRECTORIES: [&str; 4] = [
    "/usr/share/vulkan/icd.d",
    "/usr/local/share/vulkan/icd.d",
    "/etc/vulkan/icd.d",
    "/usr/local/etc/vulkan/icd.d",
];

/// Variables by which a user tells the loader which driver to take: the current one and its older
/// name.
const LOADER_VARIABLES: [&str; 2] = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"];

/// Device files that a GPU's kernel driver makes.
const DEVICES: [&str; 3] = ["/dev/dri/renderD128", "/dev/nvidia0", "/dev/dxg"];

/// Whether the library is there through which programs find drivers.
pub fn has_loader() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let directories = ["/usr/lib", "/usr/lib64", "/lib64", "/usr/local/lib"];
    let triplet = format!("/usr/lib/{}-linux-gnu", env::consts::ARCH);
    let mut directories = directories.iter().copied().chain([triplet.as_str()]);
    directories.any(|directory| Path::new(directory).join("libvulkan.so.1").exists())
}

/// Whether the loader would find a driver.
pub fn has_driver() -> bool {
    chosen_by_user() || !driver_files("").is_empty()
}

/// Points a native program at lavapipe when the machine has no GPU.
pub fn for_native(command: &mut Command) -> &mut Command {
    point_at(command, driver_files("lvp_icd").into_iter().next())
}

/// Points Dawn in Node.js, or a native program, at Chromium's SwiftShader when the machine has no
/// GPU.
pub fn for_node<'a>(command: &'a mut Command, chrome: &Path) -> &'a mut Command {
    // The browser on the search path may be a script, or a link into the folder that has the
    // driver.
    let real = fs::canonicalize(chrome).unwrap_or_else(|_| chrome.to_owned());
    let folders = [real.parent().map(Path::to_owned), Some("/usr/lib/chromium".into())];
    let driver = folders.into_iter().flatten().map(|folder| folder.join("vk_swiftshader_icd.json"));
    let driver = driver.into_iter().find(|file| file.is_file());
    point_at(command, driver)
}

fn point_at(command: &mut Command, driver: Option<PathBuf>) -> &mut Command {
    let has_gpu = DEVICES.iter().any(|device| Path::new(device).exists());
    if let Some(driver) = driver.filter(|_| !has_gpu && !chosen_by_user()) {
        for variable in LOADER_VARIABLES {
            command.env(variable, &driver);
        }
    }
    command
}

fn chosen_by_user() -> bool {
    LOADER_VARIABLES.iter().any(|variable| env::var_os(variable).is_some())
}

/// Descriptions of drivers whose file names start like this.
fn driver_files(start: &str) -> Vec<PathBuf> {
    let entries = DRIVER_DIRECTORIES.iter().filter_map(|directory| fs::read_dir(directory).ok()).flatten();
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start)))
        .collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_of_the_loaders_variables_are_set_or_neither() {
        let mut command = Command::new("test");
        for_node(&mut command, Path::new("/nowhere/chrome"));
        let set = command.get_envs().filter(|(name, _)| LOADER_VARIABLES.iter().any(|v| name == v)).count();
        assert!(set == 0 || set == 2);
    }
}
