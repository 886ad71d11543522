"""Builds wheel and source distribution, with stubs generated from the wire contract.

The contract lies in ``proto/`` of the repository. A source distribution carries a copy, so that it builds alone.
``python setup.py stubs`` writes the stubs into ``src``, for tests and type checkers.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from pathlib import Path

from setuptools import Command, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
CONTRACT_HERE = HERE / "proto"
CONTRACTS = (CONTRACT_HERE, HERE.parent / "proto" / "src" / "main" / "proto")
PACKAGE = Path("millrace", "_proto")

# The package `millrace` is the runtime of scripts, so the stubs lie in a package of their own below it.
IMPORT = re.compile(r"^from millrace\.", re.MULTILINE)


def contract() -> Path:
    """Returns the folder with the .proto files."""
    for folder in CONTRACTS:
        if folder.is_dir():
            return folder
    raise SystemExit(
        f"The wire contract is in none of {', '.join(map(str, CONTRACTS))}: build in a checkout, or from the source distribution."
    )


def write_stubs(target: Path) -> None:
    """Replaces the package of stubs in `target`."""
    import grpc_tools
    from grpc_tools import protoc

    source = contract()
    with tempfile.TemporaryDirectory() as folder:
        status = protoc.main(
            [
                "protoc",
                f"--proto_path={source}",
                f"--proto_path={Path(grpc_tools.__file__).parent / '_proto'}",
                f"--python_out={folder}",
                f"--pyi_out={folder}",
                *(path.relative_to(source).as_posix() for path in sorted(source.rglob("*.proto"))),
            ]
        )
        if status != 0:
            raise SystemExit(f"protoc ended with status {status}; its messages are above.")
        written = Path(folder, "millrace")
        for path in written.rglob("*.py*"):
            path.write_text(IMPORT.sub("from millrace._proto.", path.read_text()))
        for inner in [written, *(path for path in written.rglob("*") if path.is_dir())]:
            (inner / "__init__.py").touch()
        shutil.rmtree(target / PACKAGE, ignore_errors=True)
        shutil.copytree(written, target / PACKAGE)


class BuildWithStubs(build_py):
    """Copies the package, and adds the stubs."""

    def run(self) -> None:
        """Begins with an empty folder, since files of earlier builds would get into the wheel."""
        shutil.rmtree(Path(self.build_lib, "millrace"), ignore_errors=True)
        super().run()
        write_stubs(HERE / "src" if self.editable_mode else Path(self.build_lib))


class PackWithContract(sdist):
    """Packs the sources, and a copy of the contract."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Adds the .proto files."""
        super().make_release_tree(base_dir, files)
        shutil.copytree(contract(), Path(base_dir, CONTRACT_HERE.name), dirs_exist_ok=True)


class Stubs(Command):
    """Writes the stubs beside the sources, unless they are current: what builds the jars looks for newer files there."""

    user_options: list[tuple[str, str, str]] = []

    def initialize_options(self) -> None:
        """There are no options."""

    def finalize_options(self) -> None:
        """There are no options."""

    def run(self) -> None:
        """Writes the stubs."""
        digest = hashlib.sha256()
        for path in (Path(__file__), *sorted(contract().rglob("*.proto"))):
            digest.update(path.read_bytes())
        stamp = HERE / "src" / PACKAGE / ".stamp"
        if not stamp.exists() or stamp.read_text() != digest.hexdigest():
            write_stubs(HERE / "src")
            stamp.write_text(digest.hexdigest())


(HERE / "target").mkdir(exist_ok=True)  # setup.cfg puts there what the build leaves behind.
setup(cmdclass={"build_py": BuildWithStubs, "sdist": PackWithContract, "stubs": Stubs})
